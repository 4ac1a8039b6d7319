import { type JsonObject, judge, refusal, serverScenario, unmet } from '../../../src/suite/server.ts'

/** The text says "no parameters"; the schema lets a request have empty ones, and a `_meta`. */
const LEGAL: JsonObject[] = [{}, { _meta: { 'com.example/note': 'a ping with a _meta' } }]

export default serverScenario({
  title: 'A ping is answered whether it comes without params, with empty ones or with a _meta',
  claims: { answered: 'ping.request.no-params' },
  async *run(peer) {
    const plain = await peer.request('ping')
    if (plain.kind !== 'result') {
      yield unmet('a ping without params gets no result')
      return
    }
    yield judge('answered', true, 'a result for a ping without params', plain)
    for (const params of LEGAL) {
      const reply = await peer.request('ping', params)
      const outcome = reply.kind === 'result' ? 'holds' : reply.kind === 'none' ? 'breaks' : 'bends'
      yield judge('answered', outcome, `a result for a ping with the params ${JSON.stringify(params)}`, reply, {
        subject: `the params ${JSON.stringify(params)}`,
      })
    }
  },
  defects: [
    {
      named: 'pings with params stay unanswered',
      breaks: 'answered',
      kind: 'silent',
      replace: { drops: message => message.method === 'ping' && message.params !== undefined },
    },
    {
      named: 'pings with params are refused',
      breaks: 'answered',
      kind: 'refused',
      verdict: 'warn',
      tamper: out =>
        out.layer === 'message' && out.cause?.method === 'ping' && out.cause.params !== undefined
          ? [{ ...out, message: refusal(-32602, 'no')(out.cause) }]
          : [out],
    },
  ],
})
