import {
  at,
  idKey,
  judge,
  type MessageFrame,
  mediaType,
  type ServerPeer,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

const TOOLS = ['test_tool_with_progress', 'test_tool_with_logging']

export default serverScenario({
  title: 'Several streams of one session are open at the same time, and each message comes on one of them',
  needs: { via: 'http' },
  session: 'fresh',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    many: 'transport-http.streams.many',
    once: 'transport-http.streams.no-broadcast',
  },
  async *run(peer) {
    peer.on('roots/list', () => ({ result: { roots: [] } }))
    const mark = peer.mark
    const streams = [await peer.listen(), await peer.listen()]
    const [first, second] = streams
    const opens = streams.map(({ http }) => http.status === 200 && mediaType(http.contentType) === 'text/event-stream')
    if (opens[0] === true && second !== undefined)
      yield judge('many', opens[1] === true, 'a second GET stream beside the first', second.http, {
        subject: 'a second GET stream',
      })
    else yield judge('many', 'n/a', 'a server with GET streams', first?.http ?? [])

    // Everything at once: two pings, the fixtures with a token each, and a reason to ask for the roots.
    const tools = await offered(peer)
    const replies = await Promise.all([
      peer.request('ping'),
      peer.request('ping'),
      ...tools.map((name, index) =>
        peer.request('tools/call', { name, arguments: {} }, { meta: { progressToken: `streams-${'ab'[index]}` } }),
      ),
      peer.notify('notifications/roots/list_changed'),
    ])
    for (const reply of replies) {
      if (!('kind' in reply)) continue
      const answered = reply.kind === 'result' || reply.kind === 'error'
      yield judge('many', answered, 'an answer to each request while other streams are open', reply, {
        subject: 'a request',
      })
    }
    await peer.watch()
    await peer.settle()
    const copies = new Map<string, MessageFrame[]>()
    for (const frame of peer.heard(mark)) {
      const same = identity(frame)
      if (same !== undefined) copies.set(same, [...(copies.get(same) ?? []), frame])
    }
    for (const frames of copies.values()) {
      const places = new Set(frames.map(frame => frame.exchange))
      yield judge('once', places.size === 1, 'each message of the server on one stream', frames, {
        kind: 'duplicate',
        subject: String(at(frames[0]?.json, 'method')),
      })
    }
    for (const stream of streams) stream.close()
    if (copies.size === 0) yield unmet('the server sent nothing that could come on several streams')
  },
  defects: [
    {
      named: 'unrelated messages go to all GET streams',
      breaks: 'once',
      kind: 'duplicate',
      replace: { route: open => open.filter(stream => stream.kind === 'get') },
    },
    {
      named: 'unrelated messages go to all streams',
      breaks: 'once',
      kind: 'duplicate',
      replace: { route: open => [...open], strays: method => method === 'notifications/message' },
    },
    {
      named: 'one GET stream a session',
      breaks: 'many',
      kind: 'wrong-status',
      replace: { secondGet: () => ({ status: 409, reason: 'only one stream' }) },
    },
    {
      named: 'a request is not answered while a GET stream is open',
      breaks: 'many',
      kind: 'silent',
      replace: { drops: message => message.method === 'ping' },
    },
  ],
  variants: [
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})

/** The fixtures among the tools of the server. */
async function offered(peer: ServerPeer): Promise<string[]> {
  if (peer.capabilities.tools === undefined) return []
  const listed = await peer.request('tools/list')
  const tools = listed.kind === 'result' ? at(listed.result, 'tools') : undefined
  const names = Array.isArray(tools) ? tools.map(tool => at(tool, 'name')) : []
  return TOOLS.filter(name => names.includes(name))
}

/**
 * What makes a message the same one: the id of a request, token and value of progress (no token has
 * the same value twice), the text of a log entry that the fixture writes once a call.
 */
function identity({ json }: MessageFrame): string | undefined {
  const method = at(json, 'method')
  if (shapeOf(json) === 'request') return `request ${idKey(at(json, 'id'))}`
  if (method === 'notifications/progress')
    return `progress ${idKey(at(json, 'params', 'progressToken'))} ${String(at(json, 'params', 'progress'))}`
  const data = at(json, 'params', 'data')
  const fixed =
    typeof data === 'string' && /^Tool (?:execution started|processing data|execution completed)$/.test(data)
  return method === 'notifications/message' && fixed ? `log ${data}` : undefined
}
