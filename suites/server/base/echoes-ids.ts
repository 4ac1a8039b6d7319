import {
  at,
  type Fault,
  idKey,
  judge,
  type Reply,
  refusal,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Ids that tell types and values apart: 7 and "7", zero, the empty string, a negative one, a long one. */
const IDS = [7, '7', 0, '', -1, 'x'.repeat(200), Number.MAX_SAFE_INTEGER]

export default serverScenario({
  title: 'A response repeats the id of its request, type and value',
  session: 'fresh',
  claims: { same: 'base.response.result-id-matches' },
  async *run(peer) {
    const control = await peer.request('ping')
    if (control.kind !== 'result') {
      yield unmet('the control, a ping with a small integer as id, was not answered with a result')
      return
    }
    for (const id of IDS) {
      const reply = await peer.request('ping', undefined, { id })
      yield judge(
        'same',
        reply.kind === 'result' && idKey(reply.id) === idKey(id),
        `a result with the id ${shown(id)}`,
        reply,
        { ...faultOf(reply, id), subject: `the id ${shown(id)}` },
      )
    }
    const fresh = await peer.another('no-handshake')
    const id = 'opening-7'
    const opening = await fresh.request('initialize', fresh.hello.params, { id, withinMs: peer.timeouts.handshakeMs })
    yield judge('same', opening.kind === 'result' && opening.id === id, `a result with the id ${shown(id)}`, opening, {
      ...faultOf(opening, id),
      subject: 'the id of initialize',
    })
  },
  defects: [
    {
      named: 'initialize turns string ids into numbers',
      breaks: 'same',
      kind: { stdio: 'silent', http: 'refused' },
      tamper: tampers.answer('initialize', message => (message.id === 'opening-7' ? { ...message, id: 7 } : message)),
    },
    {
      named: 'string ids are refused',
      breaks: 'same',
      kind: 'refused',
      tamper: tampers.answer('ping', message =>
        typeof message.id === 'string' ? refusal(-32600, 'id must be a number')(message) : message,
      ),
    },
    {
      named: 'string ids end in HTTP 500',
      breaks: 'same',
      kind: 'wrong-status',
      via: 'http',
      tamper: tampers.http((_answer, request) =>
        typeof at(request.message, 'id') === 'string' ? { status: 500, headers: {}, body: '' } : undefined,
      ),
    },
    {
      named: 'numbers come back as strings',
      breaks: 'same',
      kind: 'wrong-type',
      tamper: tampers.answer('ping', message => ({ ...message, id: String(message.id) })),
    },
    {
      named: 'strings of digits come back as numbers',
      breaks: 'same',
      kind: 'wrong-type',
      tamper: tampers.answer('ping', message => (message.id === '7' ? { ...message, id: 7 } : message)),
    },
    {
      named: 'falsy ids come back as null',
      breaks: 'same',
      kind: 'wrong-type',
      tamper: tampers.answer('ping', message => ({ ...message, id: message.id || null })),
    },
    {
      named: 'a request with id 0 is taken for a notification',
      breaks: 'same',
      kind: 'silent',
      replace: { drops: message => message.id === 0 },
    },
  ],
})

const shown = (id: string | number): string => JSON.stringify(id).slice(0, 40)

const faultOf = (reply: Reply, id: string | number): Fault =>
  reply.kind === 'result' ? { kind: typeof reply.id === typeof id ? 'wrong-value' : 'wrong-type' } : {}
