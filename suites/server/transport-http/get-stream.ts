import { type Fault, judge, mediaType, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'GET is answered with an event stream or with 405, and may be opened again and again',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    handled: 'transport-http.endpoint.supports-get',
    answer: 'transport-http.get.sse-or-405',
    reopened: 'transport-http.get.client-may-close',
  },
  async *run(peer) {
    const first = await peer.listen()
    const opens = first.http.status === 200 && mediaType(first.http.contentType) === 'text/event-stream'
    const right = opens || first.http.status === 405
    // A server that writes its head with the first event has not answered yet, but it has not refused either.
    const waits = first.http.status === 0 && !first.isOver
    // 409 is how some servers refuse a second stream; on the first one there is no reason for it.
    const expected = 'an event stream, or HTTP 405'
    // A status of success is right for an event stream: then it is the content that is of another type.
    const fault: Fault = first.http.status === 200 ? { kind: 'wrong-type' } : {}
    yield judge('answer', waits ? 'bends' : right, expected, first.http, fault)
    const handled = right || [400, 401, 403].includes(first.http.status)
    yield judge('handled', waits ? 'bends' : handled, expected, first.http, fault)
    first.close()
    if (!opens) {
      yield judge('reopened', 'n/a', 'a server with GET streams', first.http)
      return
    }
    for (let count = 0; count < 3; count += 1) {
      await peer.pause(peer.timeouts.graceMs)
      const plain = await peer.listen()
      plain.close()
      // A server of one stream a session may want the client to come back to that stream.
      const { lastEventId } = first
      const again = plain.http.status === 200 || lastEventId === undefined ? plain : await peer.listen({ lastEventId })
      again.close()
      if (count === 2)
        yield judge(
          'reopened',
          again.http.status === 200 ? 'holds' : again.http.status === 409 ? 'bends' : 'breaks',
          'a new stream after the old one was closed',
          again.http,
          { subject: 'a new stream' },
        )
    }
    const ping = await peer.request('ping')
    yield judge('reopened', ping.kind === 'result', 'an answer to ping after all that', ping, { subject: 'ping' })
  },
  defects: [
    {
      named: 'GET is answered with 404',
      breaks: 'answer',
      kind: 'wrong-status',
      also: ['handled'],
      replace: { get: () => ({ status: 404, reason: 'no' }) },
    },
    {
      named: 'GET is answered with 400 for no reason',
      breaks: 'answer',
      kind: 'wrong-status',
      replace: { get: () => ({ status: 400, reason: 'no' }) },
    },
    {
      named: 'GET is answered with 200 and an error in JSON',
      breaks: 'answer',
      kind: 'wrong-type',
      also: ['handled'],
      replace: { get: () => ({ status: 200, reason: 'use POST' }) },
    },
    {
      named: 'GET ends in 500',
      breaks: 'handled',
      kind: 'wrong-status',
      also: ['answer'],
      replace: { get: () => ({ status: 500, reason: 'no' }) },
    },
    {
      named: 'GET is answered with a page',
      breaks: 'answer',
      kind: 'wrong-type',
      also: ['handled'],
      tamper: out =>
        out.layer === 'http' && out.request.method === 'GET'
          ? [{ ...out, headers: { 'Content-Type': 'text/html' }, body: '<p>' }]
          : [out],
    },
    { named: 'one GET a session', breaks: 'reopened', kind: 'wrong-status', replace: onceOnly },
  ],
  variants: [{ named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } }],
})

function onceOnly(): { get(): { status: number; reason: string } | undefined } {
  let opened = 0
  return {
    get() {
      opened += 1
      return opened > 1 ? { status: 500, reason: 'already open' } : undefined
    },
  }
}
