import {
  at,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  type JsonObject,
  judge,
  type MessageFrame,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const PROMPT = { type: 'ref/prompt', name: 'greeting' }
const TEMPLATE = { type: 'ref/resource', uri: 'file:///{path}' }
const complete = (ref: JsonObject, name: string, value: string) => ({
  request: 'completion/complete',
  params: { ref, argument: { name, value } },
})
/** By the count of requests: nothing at all, a part of what there is, a failure. */
const ANSWERS = [
  { result: { completion: { values: [] } } },
  { result: { completion: { values: ['docs/', 'data/'], hasMore: true } } },
  { error: { code: -32603, message: 'Internal error' } },
]
/** The first two are legal and no failures. */
const LEGAL = [0, 1]

const COMPLETING = script({
  drive: {
    name: 'completion',
    steps: [
      complete(PROMPT, 'name', 'A'),
      complete(TEMPLATE, 'path', ''),
      complete(PROMPT, 'name', '7'),
      { request: 'prompts/list' },
    ],
  },
  setup: () => ({
    capabilities: { prompts: {}, resources: {}, completions: {} },
    prompts: [{ name: 'greeting', arguments: [{ name: 'name', description: 'Who is greeted' }] }],
    templates: [{ uriTemplate: 'file:///{path}', name: 'files' }],
  }),
  notes: (): { listed?: MessageFrame } => ({}),
  play(server, notes) {
    let count = 0
    server.on('completion/complete', () => {
      count += 1
      return ANSWERS[count - 1] ?? { result: { completion: { values: [] } } }
    })
    server.on('prompts/list', call => {
      notes.listed = call.frame
      return { result: { prompts: [{ name: 'greeting', arguments: [{ name: 'name' }] }] } }
    })
  },
})

export default clientScenario({
  title: 'The client accepts completions that are empty, partial or an error',
  script: COMPLETING,
  claims: { copes: 'completion.client.partial-results' },
  *run(seen) {
    const requests = sent(seen, 'completion/complete')
    if (requests.length === 0) {
      yield unmet(undone(seen, 'ask for completions'))
      return
    }
    const failed = LEGAL.filter(step => seen.steps.get(step)?.outcome === 'error')
    for (const step of failed) {
      const text = `it reports for step ${step}: ${seen.steps.get(step)?.message ?? 'a failure'}`
      const got = { text, frames: [seen.end.frame] }
      const subject = step === 0 ? 'no values' : 'some of the values'
      yield judge('copes', false, 'completions without total, and with hasMore', got, { kind: 'refused', subject })
    }
    if (failed.length > 0) return
    if (requests.length < ANSWERS.length && !crashed(seen)) {
      yield unmet(undone(seen, `ask ${ANSWERS.length} times`), 'copes')
    } else {
      const { listed } = seen.notes
      yield judge('copes', listed !== undefined, 'the next request', listed ?? fateOfClient(seen), endKind(seen))
    }
  },
  defects: [
    {
      named: 'wants a total',
      breaks: 'copes',
      kind: 'refused',
      replace: {
        resultProblem: ({ result }) => (at(result, 'completion', 'total') === undefined ? 'no total' : undefined),
      },
    },
    {
      named: 'crashes when completion fails',
      breaks: 'copes',
      kind: 'died',
      replace: {
        notices: message => {
          if (at(message, 'error') !== undefined) throw new Error('completion failed')
        },
      },
    },
  ],
})
