import {
  at,
  type Completable,
  codes,
  completables,
  isObject,
  type JsonObject,
  judge,
  memberFault,
  type Outcome,
  type Reply,
  refusal,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** So many arguments of prompts, and variables of templates, are completed. */
const TRIED = 6
/** A fixture whose completion fails. */
const FAILING = 'test_failing_prompt'

/** Shows the monitor what completions look like, too. */
export default serverScenario({
  title: 'Arguments of listed prompts and variables of listed templates can be completed, with and without context',
  needs: { capability: 'completions' },
  claims: {
    supported: 'completion.complete.supported',
    both: 'completion.request.both-ref-types-accepted',
    context: 'completion.request.context-tolerated',
  },
  async *run(peer) {
    const known = (await completables(peer)).filter(({ ref }) => !('name' in ref && ref.name === FAILING))
    if (known.length === 0) {
      for (const claim of ['supported', 'both', 'context'] as const)
        yield judge(claim, 'n/a', 'a prompt with arguments or a template with variables', peer.opening ?? [])
      return
    }
    const kinds = ['ref/prompt', 'ref/resource'] as const
    const replies: { one: Completable; reply: Reply }[] = []
    for (const kind of kinds) {
      for (const one of known.filter(({ ref }) => ref.type === kind).slice(0, TRIED)) {
        for (const value of ['', 'test']) {
          const reply = await complete(peer, one, value)
          replies.push({ one, reply })
          const subject = `${shown(one)} with the value "${value}"`
          yield judge('supported', completionIn(reply), `a completion of ${subject}`, reply, {
            kind: memberFault(reply, 'completion'),
            subject,
          })
          if (reply.kind === 'none') return
        }
      }
    }
    const works = replies.find(({ reply }) => reply.kind === 'result')
    if (works === undefined) {
      yield unmet('nothing that is listed can be completed', 'both', 'context')
      return
    }
    for (const kind of kinds) {
      const ofKind = replies.filter(({ one }) => one.ref.type === kind)
      const best = ofKind.find(({ reply }) => reply.kind === 'result') ?? ofKind[0]
      if (best !== undefined)
        yield judge('both', acceptance(best.reply), `a reference of type ${kind} to be understood`, best.reply, {
          subject: kind,
        })
    }
    for (const given of [{}, { 'x-conformance-none': 'x' }]) {
      const reply = await complete(peer, works.one, '', { context: { arguments: given } })
      const outcome = isInvalidParams(reply) ? 'breaks' : reply.kind === 'result' ? 'holds' : 'bends'
      yield judge('context', outcome, `an answer with context.arguments ${JSON.stringify(given)} as without`, reply, {
        subject: `context.arguments ${JSON.stringify(given)}`,
      })
    }
  },
  defects: [
    {
      named: 'is declared, but unknown',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('completion/complete', codes.methodNotFound),
    },
    {
      named: 'gives values without completion around them',
      breaks: 'supported',
      kind: 'missing',
      tamper: tampers.result('completion/complete', () => ({ values: ['a'] })),
    },
    {
      named: 'never answers',
      breaks: 'supported',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'completion/complete' },
    },
    {
      named: 'wants a value to begin with',
      breaks: 'supported',
      kind: 'refused',
      verdict: 'warn',
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'argument', 'value') === '' && at(cause, 'params', 'context') === undefined
          ? refusal(codes.invalidParams)(message)
          : message,
      ),
    },
    ...(['ref/prompt', 'ref/resource'] as const).map(type => ({
      named: `knows no ${type}`,
      breaks: 'both' as const,
      kind: 'refused' as const,
      also: ['supported' as const],
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'ref', 'type') === type
          ? refusal(codes.invalidParams, `Unrecognized ref type ${type}`)(message)
          : message,
      ),
    })),
    {
      named: 'knows no context',
      breaks: 'context',
      kind: 'refused',
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'context') === undefined ? message : refusal(codes.invalidParams)(message),
      ),
    },
    {
      named: 'fails at a context that names other arguments',
      breaks: 'context',
      kind: 'refused',
      verdict: 'warn',
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'context', 'arguments', 'x-conformance-none') === undefined
          ? message
          : refusal(codes.internalError)(message),
      ),
    },
  ],
  variants: [
    {
      named: 'has nothing to complete',
      replace: { capabilities: { completions: {} } },
    },
    {
      named: 'completes prompts only, and has no resources',
      shows: ['supported', 'both', 'context'],
      replace: { capabilities: { completions: {}, prompts: {} } },
    },
    {
      named: 'has no suggestions',
      shows: ['supported', 'both', 'context'],
      tamper: tampers.result('completion/complete', () => ({ completion: { values: [] } })),
    },
    {
      named: 'has no completer for templates',
      bends: ['supported', 'both'],
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'ref', 'type') === 'ref/resource'
          ? refusal(codes.invalidParams, 'nothing to suggest here')(message)
          : message,
      ),
    },
  ],
})

function complete(peer: ServerPeer, { ref, argument }: Completable, value: string, more: JsonObject = {}) {
  return peer.request('completion/complete', { ref: { ...ref }, argument: { name: argument, value }, ...more })
}

const shown = ({ ref, argument }: Completable): string =>
  `${JSON.stringify(argument)} of ${JSON.stringify('name' in ref ? ref.name : ref.uri)}`

/** That every argument has a completer is nowhere said: another error than "no such method" is tolerated. */
function completionIn(reply: Reply): Outcome {
  if (reply.kind === 'result') return isObject(at(reply.result, 'completion')) ? 'holds' : 'breaks'
  return reply.kind === 'error' && reply.code !== codes.methodNotFound ? 'bends' : 'breaks'
}

/** An error about the type of the reference, where another reference is answered, says that this type is not known. */
function acceptance(reply: Reply): Outcome {
  if (reply.kind === 'result') return 'holds'
  return reply.kind === 'error' && !/type|ref\//i.test(reply.message) ? 'bends' : 'breaks'
}

const isInvalidParams = (reply: Reply): boolean => reply.kind === 'error' && reply.code === codes.invalidParams
