import {
  type Answers,
  askInTurn,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  failure,
  isObject,
  judge,
  refusal,
  refusalFault,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** Asks while the client waits for its tools, as it may be asked at any time. */
const ASKING = script({
  drive: { name: 'initialize' },
  notes: (): Answers<'bare' | 'empty'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const odd = !isObject(call.conversation.capabilities.roots)
      await askInTurn(call, notes, {
        bare: { method: 'roots/list', odd },
        empty: { method: 'roots/list', params: {}, odd },
      })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'A client that declares roots answers roots/list, also while it waits for a response',
  script: ASKING,
  claims: {
    declared: 'roots.capability.declared',
    busy: 'roots.list.answered-while-busy',
    unsupported: 'roots.error.unsupported',
  },
  *run(seen) {
    const { bare, empty } = seen.notes
    if (bare === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    if (declared(seen, 'roots') === undefined) {
      const nothing = declaration(seen, 'it does not declare roots')
      yield judge('busy', 'n/a', 'an answer from a client with roots', nothing)
      yield judge(
        'declared',
        bare.kind !== 'result',
        'no roots from a client that does not declare them',
        bare,
        'accepted',
      )
      if (bare.kind === 'result') yield unmet('it has roots, though it does not declare them', 'unsupported')
      else yield judge('unsupported', codeOf(bare) === codes.methodNotFound, 'error -32601', bare, refusalFault(bare))
      return
    }
    yield judge('unsupported', 'n/a', 'no roots', declaration(seen, 'it declares roots'))
    yield judge('busy', bare.kind !== 'none', 'an answer while the client waits for its tools', bare)
    for (const [reply, params] of [
      [bare, 'without params'],
      [empty, 'with empty params'],
    ] as const) {
      if (reply === undefined || reply.kind === 'none') continue
      // What goes wrong inside the client has an error of its own; "not found" contradicts what it has declared.
      const refused =
        reply.kind === 'error' && (reply.code === codes.methodNotFound || reply.code === codes.invalidParams)
      const outcome = reply.kind === 'result' ? 'holds' : refused ? 'breaks' : 'bends'
      yield judge('declared', outcome, `its roots, asked ${params}`, reply, { subject: params })
    }
    if (bare.kind === 'none') yield unmet('it did not answer at all', 'declared')
  },
  defects: [
    {
      named: 'has roots, but does not declare them',
      breaks: 'declared',
      kind: 'accepted',
      replace: { capabilities: () => ({}), serves: () => true },
    },
    {
      named: 'declares roots and does not know the request',
      breaks: 'declared',
      kind: 'refused',
      replace: { serves: method => method === 'ping' },
    },
    {
      named: 'takes no params',
      breaks: 'declared',
      kind: 'refused',
      tamper: tampers.answer('roots/list', (message, cause) =>
        cause.params === undefined ? message : failure(message.id, codes.invalidParams, 'Invalid params'),
      ),
    },
    {
      named: 'answers only when it waits for nothing itself',
      breaks: 'busy',
      kind: 'silent',
      replace: { answersWhilePending: false },
    },
    {
      named: 'says that the request is invalid',
      breaks: 'unsupported',
      kind: 'wrong-code',
      replace: {
        capabilities: () => ({}),
        onUnknownRequest: refusal(codes.invalidRequest, 'Invalid request'),
      },
    },
    {
      named: 'does not answer what it does not know',
      breaks: 'unsupported',
      kind: 'silent',
      replace: { capabilities: () => ({}), onUnknownRequest: () => undefined },
    },
  ],
  variants: [
    { named: 'declares nothing', shows: ['declared', 'unsupported'], replace: { capabilities: () => ({}) } },
    { named: 'has no root at present', tamper: tampers.result('roots/list', () => ({ roots: [] })) },
  ],
})
