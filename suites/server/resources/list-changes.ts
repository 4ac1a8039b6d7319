import { awaitNotification, judge, listAll, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

const TRIGGER = 'test_trigger_resource_change'
const LIST_CHANGED = 'notifications/resources/list_changed'

export default serverScenario({
  title: 'A server with listChanged tells when its list of resources has changed',
  needs: { capability: 'resources.listChanged', fixture: { tool: TRIGGER } },
  session: 'own',
  claims: { notified: 'resources.list-changed.notify' },
  async *run(peer) {
    const uris = async () => (await listAll(peer, 'resources/list', 'resources')).entries.map(entry => entry.uri)
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const before = await uris()
    const since = peer.mark
    const reply = await peer.request('tools/call', { name: TRIGGER, arguments: {} })
    const heard = await awaitNotification(peer, since, LIST_CHANGED)
    const after = await uris()
    stream?.close()
    if (JSON.stringify(before) === JSON.stringify(after)) {
      yield unmet(`fixture ${TRIGGER} does not change the list`)
      return
    }
    // Without a GET stream there is no way for what belongs to no request.
    const deaf = stream !== undefined && stream.http.status !== 200
    yield judge('notified', heard !== undefined || (deaf ? 'n/a' : 'breaks'), LIST_CHANGED, heard ?? reply, 'missing')
  },
  defects: [
    {
      named: 'the change goes unsaid',
      breaks: 'notified',
      kind: 'missing',
      tamper: tampers.message(message => (message.method === LIST_CHANGED ? undefined : message)),
    },
    {
      named: 'says it by another name',
      breaks: 'notified',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === LIST_CHANGED ? { ...message, method: 'notifications/resources/changed' } : message,
      ),
    },
  ],
  variants: [
    {
      named: 'tells it on the stream of the call',
      shows: ['notified'],
      replace: { route: open => open.filter(stream => stream.kind === 'post').slice(0, 1) },
    },
    { named: 'no GET stream', via: 'http', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
  ],
})
