import { judge, mediaType, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'When a session is ended over HTTP, the streams that belong to it are closed',
  needs: { via: 'http' },
  session: 'fresh',
  claims: { closes: 'lifecycle.shutdown.http-close-connections' },
  async *run(peer) {
    const stream = await peer.listen()
    const opens = stream.http.status === 200 && mediaType(stream.http.contentType) === 'text/event-stream'
    if (peer.sessionId === undefined || !opens) {
      yield judge('closes', 'n/a', 'only judged where there are sessions and GET streams', stream.http)
      return
    }
    const deletion = await peer.http({ method: 'DELETE' })
    if (deletion.status < 200 || deletion.status >= 300) {
      yield judge('closes', 'n/a', 'only judged where clients may end a session', deletion)
      stream.close()
      return
    }
    // No event fits: this ends with the stream, or when the time is over.
    await stream.event(() => false, peer.timeouts.watchMs)
    yield judge(
      'closes',
      stream.isOver,
      'the GET stream closed with the session',
      {
        text: stream.isOver ? 'it was closed' : `it was still open after ${peer.timeouts.watchMs} ms`,
        frames: [...stream.frames, ...deletion.frames],
      },
      'ignored',
    )
    stream.close()
  },
  defects: [
    {
      named: 'leaves its streams open',
      breaks: 'closes',
      kind: 'ignored',
      replace: { deletion: () => ({ ends: true, status: 204, leavesStreams: true }) },
    },
  ],
  variants: [
    { named: 'no GET stream', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    { named: 'clients may not end sessions', replace: { deletion: () => ({ ends: false, status: 405 }) } },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
  ],
})
