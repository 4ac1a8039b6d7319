import {
  at,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  reported,
  script,
  sent,
  shookHands,
  stepKind,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADD_NUMBERS } from '../_add-numbers.ts'

/** What a later revision, or a server with extensions, may add. */
const MORE = { _meta: { 'com.example/trace': 'x' }, 'x-conformance': { depth: [1, { deep: true }] } }

/** Members that nobody knows in every result: in the result itself and, where it lists something, in that. */
const EXTENDING = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    more: MORE,
    serverInfo: { name: 'mcp-conformance', version: '0.1.0', 'x-conformance': true },
    capabilities: { tools: { 'x-conformance': 1 } },
    handlers: {
      'tools/list': () => ({ result: { ...MORE, tools: [{ ...ADD_NUMBERS, ...MORE }] } }),
      'tools/call': () => ({
        result: { ...MORE, content: [{ type: 'text', text: 'The sum is 8', ...MORE }], isError: false },
      }),
    },
  }),
})

export default clientScenario({
  title: 'The client accepts results with members that it does not know',
  script: EXTENDING,
  claims: { copes: 'base.response.result-any-object' },
  *run(seen) {
    const [first] = sent(seen, 'initialize')
    if (first === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    // The control is the plain handshake that comes before all scenarios.
    yield judge('copes', shookHands(seen), 'the handshake to go on', fateOfClient(seen), {
      kind: endKind(seen),
      subject: 'initialize',
    })
    const [list] = sent(seen, 'tools/list')
    const [call] = sent(seen, 'tools/call')
    for (const [step, request, next] of [
      [0, list, call],
      [1, call, undefined],
    ] as const) {
      const told = seen.steps.get(step)
      if (request === undefined || told?.outcome === 'unsupported')
        yield unmet(undone(seen, step === 0 ? 'list' : 'call'))
      else if (told?.outcome === 'error' || (crashed(seen) && next === undefined)) {
        const text = told === undefined ? fateOfClient(seen).text : reported(told)
        const fault = { kind: stepKind(seen, step), subject: request.method }
        yield judge('copes', false, 'the result to be taken', { text, frames: [request.frame] }, fault)
      } else if (told !== undefined || next !== undefined)
        yield judge('copes', true, 'the result to be taken', next?.frame ?? request.frame)
    }
  },
  defects: [
    {
      named: 'does not take an answer to initialize with members that it does not know',
      breaks: 'copes',
      kind: 'died',
      replace: {
        parse: text => (isExtended(text, 'serverInfo') ? undefined : JSON.parse(text)),
        initializeTimeoutMs: 100,
      },
    },
    {
      named: 'refuses a list with such members',
      breaks: 'copes',
      kind: 'refused',
      replace: { parse: text => (isExtended(text, 'inputSchema') ? undefined : JSON.parse(text)), timeoutMs: 100 },
    },
    {
      named: 'refuses a tool result with such members',
      breaks: 'copes',
      kind: 'refused',
      replace: { resultProblem: ({ result }) => (at(result, 'x-conformance') === undefined ? undefined : 'unknown') },
    },
    {
      named: 'crashes at a block with such members',
      breaks: 'copes',
      kind: 'died',
      replace: {
        notices: message => {
          if (at(message, 'result', 'content', 0, 'x-conformance') !== undefined) throw new Error('unknown member')
        },
      },
    },
  ],
})

const isExtended = (text: string, where: string): boolean => text.includes('"x-conformance"') && text.includes(where)
