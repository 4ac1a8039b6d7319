import { codes, idKey, judge, refusalFault, serverScenario, success, tampers } from '../../../src/suite/server.ts'

const METHOD = 'x-conformance/does-not-exist'

export default serverScenario({
  title: 'A request for an unknown method gets error -32601 with the id of the request',
  claims: {
    code: 'base.error.method-not-found-code',
    id: 'base.response.error-id-matches',
  },
  async *run(peer) {
    for (const id of [7001, 'unknown-method-7001']) {
      const reply = await peer.request(METHOD, {}, { id })
      const subject = `an id that is a ${typeof id}`
      const right = reply.kind === 'error' && reply.code === codes.methodNotFound
      yield judge('code', right, 'error -32601', reply, { kind: refusalFault(reply), subject })
      if (reply.kind !== 'error') continue
      const kind = typeof reply.id === typeof id ? 'wrong-value' : 'wrong-type'
      yield judge('id', idKey(reply.id) === idKey(id), `an error with the id ${JSON.stringify(id)}`, reply, {
        kind,
        subject,
      })
    }
  },
  defects: [
    { named: 'ends at an unknown method', breaks: 'code', kind: 'died', program: 'exits-at-unknown-method' },
    {
      named: 'answers with a result',
      breaks: 'code',
      kind: 'accepted',
      tamper: tampers.answer(METHOD, success()),
    },
    {
      named: 'answers with error -32000',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: -32000 })),
    },
    { named: 'never answers', breaks: 'code', kind: 'silent', replace: { onUnknownMethod: () => undefined } },
    {
      named: 'turns ids into strings',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.message(message =>
        message.error === undefined ? message : { ...message, id: String(message.id) },
      ),
    },
    {
      named: 'errors have the id null',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.message(message => (message.error === undefined ? message : { ...message, id: null })),
    },
  ],
})
