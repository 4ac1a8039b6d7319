import { clientScenario, judge, reported, script, sent, undone, unmet } from '../../../src/suite/client.ts'

const NAMES = ['echo', 'ECHO', 'Echo']

const SIMILAR = script({
  drive: {
    name: 'similar-names',
    steps: [
      { request: 'tools/list' },
      ...NAMES.map(name => ({ request: 'tools/call', params: { name, arguments: {} } })),
    ],
  },
  setup: () => ({
    tools: NAMES.map(name => ({ name, description: `The tool ${name}`, inputSchema: { type: 'object' } })),
  }),
})

export default clientScenario({
  title: 'The client distinguishes tools whose names differ in case only',
  script: SIMILAR,
  claims: { distinguishes: 'tools.name.case-sensitive' },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    if (calls.length === 0) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    for (const [place, name] of NAMES.entries()) {
      const call = calls.find(({ params }) => params.name === name)
      const told = seen.steps.get(place + 1)
      if (call === undefined && calls.length < NAMES.length && told?.outcome !== 'error')
        yield unmet(undone(seen, `call the tool ${name}`))
      else
        yield judge(
          'distinguishes',
          call !== undefined && told?.outcome !== 'error',
          `a call of ${name}`,
          {
            text: told?.outcome === 'error' ? reported(told) : calls.map(({ params }) => params.name).join(', '),
            frames: calls.map(({ frame }) => frame),
          },
          { kind: told?.outcome === 'error' ? 'refused' : 'wrong-value', subject: name },
        )
    }
  },
  defects: [
    {
      named: 'writes names in lower case',
      breaks: 'distinguishes',
      kind: 'wrong-value',
      replace: { toolName: name => String(name).toLowerCase() },
    },
    {
      named: 'takes the first tool that looks like it',
      breaks: 'distinguishes',
      kind: 'wrong-value',
      replace: {
        toolName: (name, listed) =>
          listed.find(one => one.toLowerCase() === String(name).toLowerCase()) ?? name ?? null,
      },
    },
  ],
})
