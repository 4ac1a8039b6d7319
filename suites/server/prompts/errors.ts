import {
  at,
  codes,
  type JsonObject,
  judge,
  listAll,
  type Outcome,
  type Reply,
  refusalFault,
  sampleArguments,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** So many prompts are looked at. */
const TRIED = 5
const FAILING = 'test_failing_prompt'
const NOBODYS = 'x-conformance-none'

export default serverScenario({
  title: 'A request for a prompt that nobody listed, or without what the prompt requires, gets error -32602',
  needs: { capability: 'prompts' },
  claims: {
    unknown: 'prompts.errors.unknown-name',
    missing: 'prompts.errors.missing-argument',
    types: 'prompts.get.validates-arguments',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'prompts/list', 'prompts')
    const last = replies.at(-1)
    if (last?.kind !== 'result') {
      yield unmet('prompts/list was not answered with a result')
      return
    }
    // The control: a prompt that can be got with values of ours for all that it declares.
    const working: { name: string; args: JsonObject; required: number }[] = []
    const prompts = entries.filter(({ name }) => name !== FAILING)
    for (const prompt of inOrder(prompts).slice(0, TRIED)) {
      const { name } = prompt
      const args = sampleArguments(prompt, 'all')
      if (typeof name !== 'string') continue
      const reply = await peer.request('prompts/get', { name, arguments: args })
      if (reply.kind === 'none') break
      const required = Object.keys(sampleArguments(prompt, 'required')).length
      if (reply.kind === 'result') working.push({ name, args, required })
    }
    if (prompts.length > 0 && working.length === 0) {
      yield unmet('no prompt can be got with values of ours')
      return
    }
    const unknown = await peer.request('prompts/get', { name: NOBODYS })
    yield judge(
      'unknown',
      isInvalidParams(unknown),
      'error -32602 to a name that is not listed',
      unknown,
      refusalFault(unknown),
    )

    const demanding = working.filter(({ required }) => required > 0)
    if (demanding.length === 0) yield judge('missing', 'n/a', 'a prompt with required arguments', last)
    for (const { name } of demanding) {
      for (const params of [{ name, arguments: {} }, { name }]) {
        const reply = await peer.request('prompts/get', params)
        yield judge('missing', isInvalidParams(reply), `error -32602 to ${JSON.stringify(params)}`, reply, {
          kind: refusalFault(reply),
          subject: `${name} ${'arguments' in params ? 'with empty arguments' : 'without arguments'}`,
        })
      }
    }

    const taking = working.find(({ args }) => Object.keys(args).length > 0)
    if (taking === undefined) {
      yield judge('types', 'n/a', 'a prompt with arguments', last)
      return
    }
    const first = Object.keys(taking.args)[0] as string
    for (const value of [7, { value: 'test' }]) {
      const params = { name: taking.name, arguments: { ...taking.args, [first]: value } }
      const reply = await peer.request('prompts/get', params, { intended: 'fault' })
      yield judge('types', refusalOutcome(reply), `error -32602 to ${JSON.stringify(params)}`, reply, {
        kind: refusalFault(reply),
        subject: `${taking.name}: ${first} as ${typeof value}`,
      })
    }
  },
  defects: [
    {
      named: 'an internal error for everything that is wrong',
      breaks: 'unknown',
      kind: 'wrong-code',
      also: ['missing', 'types'],
      tamper: tampers.error(error => ({ ...error, code: codes.internalError })),
    },
    {
      named: 'a prompt that says that there is none',
      breaks: 'unknown',
      kind: 'accepted',
      tamper: whenAsked(params => at(params, 'name') === NOBODYS),
    },
    {
      named: 'is silent about what it does not know',
      breaks: 'unknown',
      kind: 'silent',
      replace: { drops: ({ params }) => at(params, 'name') === NOBODYS },
    },
    {
      named: 'fills in undefined',
      breaks: 'missing',
      kind: 'accepted',
      tamper: whenAsked(
        params => at(params, 'name') !== NOBODYS && Object.keys(at(params, 'arguments') ?? {}).length === 0,
      ),
    },
    {
      named: 'takes a number for a text',
      breaks: 'types',
      kind: 'accepted',
      tamper: whenAsked(params => typeof at(params, 'arguments', 'arg1') === 'number'),
    },
    {
      named: 'puts [object Object] into the prompt',
      breaks: 'types',
      kind: 'accepted',
      tamper: whenAsked(params => typeof at(params, 'arguments', 'arg1') === 'object'),
    },
  ],
  variants: [
    { named: 'lists nothing', shows: ['unknown'], tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
    {
      named: 'prompts without arguments',
      shows: ['unknown'],
      tamper: tampers.result('prompts/list', () => ({ prompts: [{ name: 'test_simple_prompt' }] })),
    },
    {
      named: 'another error for values of the wrong type',
      bends: ['types'],
      tamper: tampers.answer('prompts/get', (message, cause) =>
        ['number', 'object'].includes(typeof at(cause, 'params', 'arguments', 'arg1'))
          ? { ...message, error: { code: codes.invalidRequest, message: 'Invalid request' } }
          : message,
      ),
    },
  ],
})

/** Those with required arguments first: they are of most use here. */
const inOrder = (prompts: JsonObject[]): JsonObject[] => {
  const demands = (prompt: JsonObject): boolean => Object.keys(sampleArguments(prompt, 'required')).length > 0
  return [...prompts.filter(demands), ...prompts.filter(prompt => !demands(prompt))]
}

const isInvalidParams = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams

/** That they are looked at is asked for; with which error, is not. */
function refusalOutcome(reply: Reply): Outcome {
  if (isInvalidParams(reply)) return 'holds'
  return reply.kind === 'error' || reply.kind === 'http-error' ? 'bends' : 'breaks'
}

/** A prompt to such requests, whatever they lack. */
function whenAsked(fits: (params: unknown) => boolean) {
  return tampers.answer('prompts/get', (message, cause) =>
    fits(cause.params)
      ? success({ messages: [{ role: 'user', content: { type: 'text', text: 'undefined' } }] })(message)
      : message,
  )
}
