import {
  at,
  codes,
  type JsonObject,
  judge,
  type Kind,
  listAll,
  memberFault,
  type Outcome,
  type Reply,
  refusal,
  sampleArguments,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

/** Who lists more is believed about the rest. */
const TRIED = 20
/** A fixture whose making fails. */
const FAILING = 'test_failing_prompt'

const MALFORMED: [Kind, JsonObject][] = [
  ['wrong-type', { messages: {} }],
  ['missing', { message: 'x' }],
  ['wrong-type', { messages: [], description: null }],
]

/** Shows the monitors what is in the prompts, too. */
export default serverScenario({
  title:
    'A listed prompt can be got, with all its arguments, with those that it requires, and without any if it requires none',
  needs: { capability: 'prompts' },
  claims: { supported: 'prompts.get.supported' },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'prompts/list', 'prompts')
    const last = replies.at(-1)
    if (last?.kind !== 'result') {
      yield unmet('prompts/list was not answered with a result')
      return
    }
    const prompts = entries.filter(({ name }) => typeof name === 'string' && name !== FAILING).slice(0, TRIED)
    if (prompts.length === 0) yield judge('supported', 'n/a', 'a listed prompt', last)
    for (const prompt of prompts) {
      for (const params of askings(prompt)) {
        const reply = await peer.request('prompts/get', params)
        const values = Object.keys(at(params, 'arguments') ?? {}).length > 0 ? 'made up' : 'none'
        yield judge('supported', outcomeOf(reply, values), `messages to ${JSON.stringify(params)}`, reply, {
          kind: memberFault(reply, 'messages'),
          subject: shown(params),
        })
        // Others will not do better, and each would cost the same time.
        if (reply.kind === 'none') return
      }
    }
  },
  defects: [
    {
      named: 'does not know what it lists',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('prompts/get', codes.invalidParams),
    },
    {
      named: 'has no such method',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('prompts/get', codes.methodNotFound),
    },
    {
      named: 'never answers',
      breaks: 'supported',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'prompts/get' },
    },
    {
      named: 'is silent about values that it does not know',
      breaks: 'supported',
      kind: 'silent',
      verdict: 'warn',
      replace: { drops: ({ method, params }) => method === 'prompts/get' && at(params, 'arguments') !== undefined },
    },
    {
      named: 'wants arguments where none are declared',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('prompts/get', (message, cause) =>
        at(cause, 'params', 'arguments') === undefined ? refusal(codes.invalidParams)(message) : message,
      ),
    },
    {
      named: 'wants optional arguments',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('prompts/get', (message, cause) =>
        at(cause, 'params', 'name') === 'test_prompt_with_many_values' &&
        at(cause, 'params', 'arguments', 'value') === undefined
          ? refusal(codes.invalidParams)(message)
          : message,
      ),
    },
    ...MALFORMED.map(([kind, result]) => ({
      named: `gives ${JSON.stringify(result)}`,
      breaks: 'supported' as const,
      kind,
      tamper: tampers.result('prompts/get', () => result),
    })),
  ],
  variants: [
    { named: 'lists nothing', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
    {
      named: 'wants other values than ours',
      tamper: tampers.answer('prompts/get', (message, cause) =>
        at(cause, 'params', 'arguments') === undefined ? message : refusal(codes.invalidParams)(message),
      ),
    },
    {
      named: 'fails without its surroundings',
      bends: ['supported'],
      tamper: tampers.refuse('prompts/get', codes.internalError),
    },
  ],
})

/** The params to ask with, each once. */
function askings(prompt: JsonObject): JsonObject[] {
  const { name } = prompt
  const required = sampleArguments(prompt, 'required')
  const all = sampleArguments(prompt, 'all')
  const counts = [Object.keys(required).length, Object.keys(all).length]
  const askings: JsonObject[] = counts[0] === 0 ? [{ name }] : [{ name, arguments: required }]
  return counts[0] === counts[1] ? askings : [...askings, { name, arguments: all }]
}

/** `name(argument, argument)` */
const shown = (params: JsonObject): string =>
  `${textAt(params, 'name')}(${Object.keys(at(params, 'arguments') ?? {}).join(', ')})`

/** With values that we made up any error may be about them, unless it denies the method; but an answer is due. */
function outcomeOf(reply: Reply, values: 'made up' | 'none'): Outcome {
  if (reply.kind === 'result') {
    const description = at(reply.result, 'description')
    const typed = description === undefined || typeof description === 'string'
    return typed && Array.isArray(at(reply.result, 'messages')) ? 'holds' : 'breaks'
  }
  if (reply.kind !== 'error') return values === 'made up' ? 'bends' : 'breaks'
  if (reply.code === codes.methodNotFound) return 'breaks'
  if (values === 'made up') return 'n/a'
  // A server may lack what it needs to make it, but not the prompt that it listed.
  return reply.code === codes.invalidParams ? 'breaks' : 'bends'
}
