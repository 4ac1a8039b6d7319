import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  type JsonObject,
  judge,
  type Reply,
  reported,
  response,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const TEXT = { type: 'text', text: 'done' }
const OUTPUT = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] }

/** A result for each tool; those that are wrong have one fault each. */
const RESULTS: Record<string, JsonObject> = {
  plain: { content: [TEXT] },
  structured: { content: [TEXT], structuredContent: { degrees: 7 } },
  wrong_structure: { content: [TEXT], structuredContent: { degrees: 'seven' } },
  no_content: {},
  content_is_text: { content: 'done' },
  unknown_type: { content: [{ type: 'hologram', data: 'AAAA' }] },
}
const STRUCTURED = ['structured', 'wrong_structure']
const MALFORMED = ['no_content', 'content_is_text', 'unknown_type']
const NAMES = Object.keys(RESULTS)

const GIVING = script({
  drive: {
    name: 'tool-results',
    steps: [
      { request: 'tools/list' },
      ...NAMES.map(name => ({ request: 'tools/call', params: { name, arguments: {} } })),
      { request: 'tools/list' },
    ],
  },
  setup: () => ({
    tools: NAMES.map(name => ({
      name,
      description: 'A tool for testing',
      inputSchema: { type: 'object' },
      ...(STRUCTURED.includes(name) ? { outputSchema: OUTPUT } : {}),
    })),
  }),
  notes: (): { ping?: Reply } => ({}),
  play(server) {
    server.on('tools/call', async call => {
      const { name } = call.params
      const result = RESULTS[String(name)] ?? {}
      if (name === 'plain' || name === 'structured') return { result }
      await call.push(response(call.id, result), { intended: 'fault' })
      return { messages: [] }
    })
  },
})

export default clientScenario({
  title: 'The client reports invalid tool results as failures, and survives them',
  script: GIVING,
  claims: {
    structure: 'tools.output-schema.client-validates',
    content: 'tools.client.validates-results',
  },
  *run(seen) {
    const told = (name: string) => seen.steps.get(NAMES.indexOf(name) + 1)
    const called = (name: string) => sent(seen, 'tools/call').find(({ params }) => params.name === name)
    const outcome = (name: string) => {
      const call = called(name)
      const report = told(name)
      if (call === undefined || report === undefined || report.outcome === 'unsupported') return undefined
      const text = report.outcome === 'error' ? reported(report) : 'it takes the result'
      return { isError: report.outcome === 'error', got: { text: `${name}: ${text}`, frames: [call.frame] } }
    }
    if (crashed(seen) && called('wrong_structure') !== undefined) {
      yield judge('content', false, 'a client that lives on', fateOfClient(seen), endKind(seen))
      return
    }
    const controls = { structure: outcome('structured'), content: outcome('plain') }
    const wrong = { structure: ['wrong_structure'], content: MALFORMED }
    for (const claim of ['structure', 'content'] as const) {
      const control = controls[claim]
      if (control === undefined) {
        yield unmet('the driver does not tell what became of its calls', claim)
        continue
      }
      if (control.isError) {
        yield unmet(`a correct result fails as well (${control.got.text})`, claim)
        continue
      }
      for (const name of wrong[claim]) {
        const seenOf = outcome(name)
        if (seenOf === undefined) yield unmet(undone(seen, `call the tool ${name}`), claim)
        else
          yield judge(claim, seenOf.isError, 'a failure that the user gets to know', seenOf.got, {
            kind: 'accepted',
            subject: name,
          })
      }
    }
    const again = sent(seen, 'tools/list').at(-1)
    const last = called(NAMES.at(-1) ?? '')
    if (last !== undefined && (again === undefined || again.frame.seq < last.frame.seq))
      yield judge('content', false, 'a session that goes on', fateOfClient(seen), endKind(seen))
  },
  defects: [
    {
      named: 'does not look at structured content',
      breaks: 'structure',
      kind: 'accepted',
      replace: correct => ({ resultProblem: seen => correct.resultProblem({ ...seen, tool: undefined }) }),
    },
    ...MALFORMED.map(name => ({
      named: `takes ${name.replaceAll('_', ' ')}`,
      breaks: 'content' as const,
      kind: 'accepted' as const,
      replace: (correct: { resultProblem(seen: never): string | undefined }) => ({
        resultProblem: (seen: { result: JsonObject }) =>
          JSON.stringify(seen.result) === JSON.stringify(RESULTS[name])
            ? undefined
            : correct.resultProblem(seen as never),
      }),
    })),
    {
      named: 'crashes over a result',
      breaks: 'content',
      kind: 'died',
      replace: correct => ({
        resultProblem: seen => {
          if (seen.method === 'tools/call' && !Array.isArray(seen.result.content)) throw new TypeError('not iterable')
          return correct.resultProblem(seen)
        },
      }),
    },
  ],
})
