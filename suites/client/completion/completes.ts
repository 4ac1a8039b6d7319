import {
  at,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  isObject,
  type Json,
  type JsonObject,
  type Judgement,
  judge,
  type Kind,
  type MessageFrame,
  script,
  sent,
  tampers,
  textAt,
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
  title: 'The client sends well-formed completion requests, and accepts partial results',
  script: COMPLETING,
  claims: {
    reference: 'completion.request.ref-types',
    argument: 'completion.request.argument',
    copes: 'completion.client.partial-results',
  },
  *run(seen) {
    const requests = sent(seen, 'completion/complete')
    if (requests.length === 0) {
      yield unmet(undone(seen, 'ask for completions'))
      return
    }
    for (const { params, frame } of requests) {
      const type = at(params, 'ref', 'type')
      const name = type === 'ref/prompt' ? 'name' : type === 'ref/resource' ? 'uri' : undefined
      const named = name !== undefined && textAt(params, 'ref', name) !== undefined
      yield judge('reference', named, 'ref/prompt with a name, or ref/resource with a uri', frame, {
        kind: name === undefined && type !== undefined ? 'wrong-value' : 'missing',
        subject: `params.ref.${name ?? 'type'}`,
      })
      yield* judgeArgument(params.argument, frame)
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
    ...(
      [
        ['a reference of a type of its own', 'wrong-value', { type: 'ref/tool', name: 'greeting' }],
        ['a reference without name', 'missing', { type: 'ref/prompt' }],
        ['a template as a name', 'missing', { type: 'ref/resource', name: 'file:///{path}' }],
      ] as [string, Kind, JsonObject][]
    ).map(([named, kind, ref]) => ({ named, breaks: 'reference' as const, kind, tamper: completing({ ref }) })),
    {
      named: 'the value is missing',
      breaks: 'argument',
      kind: 'missing',
      tamper: completing({ argument: { name: 'name' } }),
    },
    {
      named: 'the value is a number',
      breaks: 'argument',
      kind: 'wrong-type',
      tamper: completing({ argument: { name: 'name', value: 7 } }),
    },
    {
      named: 'the argument is its value',
      breaks: 'argument',
      kind: 'wrong-type',
      tamper: completing({ argument: 'A' }),
    },
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

function* judgeArgument(argument: Json | undefined, frame: MessageFrame): Generator<Judgement<'argument'>> {
  const expected = 'argument with name and value as strings'
  const kindOf = (value: Json | undefined) => (value === undefined ? 'missing' : 'wrong-type')
  if (!isObject(argument)) {
    yield judge('argument', false, expected, frame, { kind: kindOf(argument), subject: 'params.argument' })
    return
  }
  for (const member of ['name', 'value']) {
    const value = argument[member]
    yield judge('argument', typeof value === 'string', expected, frame, {
      kind: kindOf(value),
      subject: `params.argument.${member}`,
    })
  }
}

function completing(members: JsonObject) {
  return tampers.message(message =>
    message.method === 'completion/complete' && isObject(message.params)
      ? { ...message, params: { ...message.params, ...members } }
      : message,
  )
}
