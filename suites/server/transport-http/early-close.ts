import { type HttpReply, isResponse, judge, type Reply, serverScenario, shapeOf } from '../../../src/suite/server.ts'

const TOOL = 'test_reconnection'
const MAX_RETRY_MS = 5_000

export default serverScenario({
  title:
    'A server that closes the connection of a request gives an event id and a retry time first, and the response later',
  needs: { via: 'http', capability: 'tools', fixture: { tool: TOOL } },
  claims: {
    closes: 'transport-http.sse.server-may-close-connection',
    retry: 'transport-http.sse.retry-before-close',
    response: 'transport-http.sse.response-eventually',
    discouraged: 'transport-http.sse.no-early-close',
  },
  async *run(peer) {
    // The peer reconnects with the last event id once the retry time has passed, until the response comes.
    const reply = await peer.request('tools/call', { name: TOOL, arguments: {} })
    const post = reply.http
    if (post === undefined || !isEarly(post)) {
      yield judge('discouraged', reply.kind === 'result', 'the response on the stream of the request', reply)
      for (const claim of ['closes', 'retry', 'response'] as const)
        yield judge(claim, 'n/a', 'a stream that is closed before the response', reply)
      return
    }
    yield judge('discouraged', false, 'a stream that stays open until the response', post, 'wrong-order')
    const named = post.events.some(event => event.id !== undefined)
    yield judge('closes', named, 'an event with an id before the connection is closed', post, 'missing')
    const timed = post.events.some(event => /^\d+$/.test(event.retry ?? ''))
    yield judge('retry', timed, 'a retry field before the connection is closed', post, 'missing')
    // The peer does not wait for longer retry times.
    const late = post.events.some(event => Number(event.retry) > MAX_RETRY_MS)
    const answered = isAnswered(reply)
    yield judge('response', late && !answered ? 'n/a' : answered, 'the response after a GET with Last-Event-ID', reply)
  },
  defects: [
    {
      named: 'no retry field',
      breaks: 'retry',
      kind: 'missing',
      replace: { retryMs: undefined },
    },
    {
      named: 'no event id on the stream that is closed',
      breaks: 'closes',
      kind: 'missing',
      also: ['response'],
      tamper: out =>
        out.layer === 'block' && out.on === 'post' ? [{ ...out, raw: out.raw.replace(/^id: .*\n/m, '') }] : [out],
    },
    {
      named: 'what comes after the close is lost',
      breaks: 'response',
      kind: 'silent',
      replace: { store: () => ({ append() {}, after: () => undefined }) },
    },
    {
      named: 'closes streams although the client is of an older revision',
      breaks: 'discouraged',
      kind: 'wrong-order',
      spec: '2025-06-18',
      replace: { polls: () => true },
    },
  ],
  variants: [
    { named: 'keeps the stream open', replace: { polls: () => false } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    { named: 'keeps the stream open for an older revision', spec: '2025-06-18', replace: {}, shows: ['discouraged'] },
  ],
})

/** Ended by the server, cleanly or not, before a response came on it. */
function isEarly(post: HttpReply): boolean {
  if (post.status !== 200 || !/^text\/event-stream/i.test(post.contentType) || post.ended === 'open') return false
  return !post.events.some(event => {
    try {
      return isResponse(shapeOf(JSON.parse(event.data ?? '')))
    } catch {
      return false
    }
  })
}

const isAnswered = (reply: Reply): boolean => reply.kind === 'result' || reply.kind === 'error'
