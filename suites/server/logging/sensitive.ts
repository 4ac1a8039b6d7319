import { at, judge, notification, offers, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

const TOOL = 'test_tool_with_logging'
/** Nobody else writes this text; its name says what it is. */
const SECRET = 'x-conformance-secret-8d1f04c2'
const META = { 'com.example/api-key': SECRET }

export default serverScenario({
  title: 'A key that comes with a request is not repeated in log messages',
  needs: { capability: 'logging' },
  claims: { removes: 'logging.server.removes-sensitive' },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const set = await peer.request('logging/setLevel', { level: 'debug' })
    if (set.kind !== 'result') {
      yield unmet('the level debug cannot be set')
      return
    }
    const { mark } = peer
    await peer.request('ping', undefined, { meta: META })
    for (const kind of ['tools', 'resources', 'prompts'] as const)
      if (peer.capabilities[kind] !== undefined) await peer.request(`${kind}/list`, undefined, { meta: META })
    if (await offers(peer, 'tools', TOOL))
      await peer.request('tools/call', { name: TOOL, arguments: {} }, { meta: META })
    await peer.settle()
    stream?.close()
    await peer.request('logging/setLevel', { level: 'info' })
    const logs = peer.heard(mark).filter(({ json }) => at(json, 'method') === 'notifications/message')
    if (logs.length === 0) {
      yield unmet('the server logged nothing')
      return
    }
    const leaks = logs.filter(({ text }) => text.includes(SECRET))
    yield judge('removes', leaks.length === 0, 'log messages without the key that came in _meta', leaks, 'leaked')
  },
  defects: [
    {
      named: 'logs the calls of a tool with all that came with them',
      breaks: 'removes',
      kind: 'leaked',
      tamper: tampers.message((message, cause) =>
        message.method === 'notifications/message'
          ? { ...message, params: { level: 'info', data: JSON.stringify(at(cause, 'params')) } }
          : message,
      ),
    },
    {
      named: 'logs every request at the level debug',
      breaks: 'removes',
      kind: 'leaked',
      tamper: tampers.message((message, cause) =>
        cause?.method === 'tools/list'
          ? [
              notification('notifications/message', { level: 'debug', logger: 'wire', data: { request: cause } }),
              message,
            ]
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'logs the calls of a tool without their _meta',
      shows: ['removes'],
      tamper: tampers.message((message, cause) =>
        message.method === 'notifications/message'
          ? { ...message, params: { level: 'info', data: { tool: at(cause, 'params', 'name') } } }
          : message,
      ),
    },
  ],
})
