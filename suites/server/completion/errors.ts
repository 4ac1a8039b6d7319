import {
  at,
  codes,
  completables,
  type JsonObject,
  judge,
  type Outcome,
  type Reply,
  refusalFault,
  type ServerPeer,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** So many references are tried until one is answered. */
const TRIED = 6
const NOBODYS = 'x-conformance-none'
const FAILING = 'test_failing_prompt'

export default serverScenario({
  title: 'A completion of what does not exist, or asked for in an invalid way, gets an error',
  needs: { capability: 'completions' },
  claims: {
    unknown: 'completion.errors.unknown-prompt',
    missing: 'completion.errors.missing-arguments',
    validates: 'completion.server.validates-inputs',
    secure: 'completion.security.validate-inputs',
  },
  async *run(peer) {
    // The control: a request that is answered with a completion.
    const { known, right } = await control(peer)
    if (known > 0 && right === undefined) {
      yield unmet('nothing that is listed can be completed')
      return
    }
    const argument = { name: 'x', value: '' }
    const unknown = await complete(peer, { ref: { type: 'ref/prompt', name: NOBODYS }, argument })
    yield judge(
      'unknown',
      isInvalidParams(unknown),
      'error -32602 to a prompt that does not exist',
      unknown,
      refusalFault(unknown),
    )
    if (right === undefined) {
      for (const claim of ['missing', 'validates', 'secure'] as const)
        yield judge(claim, 'n/a', 'a prompt with arguments or a template with variables', peer.opening ?? [])
      return
    }
    const name = at(right.argument, 'name')
    const lacking: [lacks: string, params: JsonObject][] = [
      ['argument', { ref: right.ref }],
      ['ref', { argument: right.argument }],
      ['argument.value', { ref: right.ref, argument: { name } }],
    ]
    for (const [lacks, params] of lacking) {
      const reply = await complete(peer, params, 'fault')
      yield judge('missing', isInvalidParams(reply), `error -32602 to a request without ${lacks}`, reply, {
        kind: refusalFault(reply),
        subject: lacks,
      })
    }
    const wrong: [subject: string, params: JsonObject][] = [
      ['ref.type', { ...right, ref: { ...(right.ref as JsonObject), type: 'ref/none' } }],
      ['argument.value', { ...right, argument: { name, value: 5 } }],
      ['argument.name', { ...right, argument: { name: null, value: '' } }],
    ]
    for (const [subject, params] of wrong) {
      const reply = await complete(peer, params, 'fault')
      for (const claim of ['validates', 'secure'] as const)
        yield judge(claim, refusalOutcome(reply), `an error to ${JSON.stringify(params)}`, reply, {
          kind: refusalFault(reply),
          subject,
        })
      if (reply.kind === 'none') return
    }
  },
  defects: [
    {
      named: 'nothing to suggest for a prompt that does not exist',
      breaks: 'unknown',
      kind: 'accepted',
      tamper: emptyWhere(params => at(params, 'ref', 'name') === NOBODYS),
    },
    {
      named: 'an internal error for everything that is wrong',
      breaks: 'missing',
      kind: 'wrong-code',
      also: ['unknown'],
      tamper: tampers.error(error => ({ ...error, code: codes.internalError })),
    },
    {
      named: 'an absent value is an empty one',
      breaks: 'missing',
      kind: 'accepted',
      tamper: emptyWhere(
        params => at(params, 'argument') !== undefined && at(params, 'argument', 'value') === undefined,
      ),
    },
    {
      named: 'any type of reference will do',
      breaks: 'validates',
      kind: 'accepted',
      also: ['secure'],
      tamper: emptyWhere(params => at(params, 'ref', 'type') === 'ref/none'),
    },
    {
      named: 'any type of value will do',
      breaks: 'secure',
      kind: 'accepted',
      also: ['validates'],
      tamper: emptyWhere(params => at(params, 'argument', 'value') === 5),
    },
    {
      named: 'does not survive a name that is null',
      breaks: 'secure',
      kind: 'silent',
      also: ['validates'],
      replace: { drops: ({ params }) => at(params, 'argument', 'name') === null },
    },
  ],
  variants: [
    {
      named: 'has nothing to complete',
      shows: ['unknown'],
      replace: { capabilities: { completions: {}, prompts: {} } },
    },
    {
      named: 'an invalid request is an invalid request',
      bends: [],
      shows: ['validates', 'secure'],
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'argument', 'value') === 5
          ? { ...message, error: { code: codes.invalidRequest, message: 'no' } }
          : message,
      ),
    },
  ],
})

const complete = (peer: ServerPeer, params: JsonObject, intended?: 'fault'): PromiseLike<Reply> =>
  peer.request('completion/complete', params, intended === undefined ? {} : { intended })

/** The params of a request that is answered with a result, and how many there were to choose from. */
async function control(peer: ServerPeer): Promise<{ known: number; right: JsonObject | undefined }> {
  const known = (await completables(peer)).filter(({ ref }) => !('name' in ref && ref.name === FAILING))
  for (const { ref, argument } of known.slice(0, TRIED)) {
    const params = { ref: { ...ref }, argument: { name: argument, value: '' } }
    const reply = await complete(peer, params)
    if (reply.kind === 'result') return { known: known.length, right: params }
    if (reply.kind === 'none') break
  }
  return { known: known.length, right: undefined }
}

const isInvalidParams = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams

/** That it is refused is asked for; with which error, is not. */
const refusalOutcome = (reply: Reply): Outcome =>
  reply.kind === 'error' || (reply.kind === 'http-error' && reply.http.status < 500) ? 'holds' : 'breaks'

function emptyWhere(fits: (params: unknown) => boolean) {
  return tampers.answer('completion/complete', (message, cause) =>
    fits(cause.params) ? success({ completion: { values: [] } })(message) : message,
  )
}
