import { codes, idKey, judge, serverScenario, success, tampers } from '../../../src/suite/server.ts'

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
      yield judge('code', reply.kind === 'error' && reply.code === codes.methodNotFound, 'error -32601', reply)
      if (reply.kind !== 'error') continue
      yield judge('id', idKey(reply.id) === idKey(id), `an error with the id ${JSON.stringify(id)}`, reply)
    }
  },
  defects: [
    { named: 'ends at an unknown method', breaks: 'code', program: 'exits-at-unknown-method' },
    {
      named: 'answers with a result',
      breaks: 'code',
      tamper: tampers.answer(METHOD, success()),
    },
    {
      named: 'answers with error -32000',
      breaks: 'code',
      tamper: tampers.error(error => ({ ...error, code: -32000 })),
    },
    { named: 'never answers', breaks: 'code', replace: { onUnknownMethod: () => undefined } },
    {
      named: 'turns ids into strings',
      breaks: 'id',
      tamper: tampers.message(message =>
        message.error === undefined ? message : { ...message, id: String(message.id) },
      ),
    },
    {
      named: 'errors have the id null',
      breaks: 'id',
      tamper: tampers.message(message => (message.error === undefined ? message : { ...message, id: null })),
    },
  ],
})
