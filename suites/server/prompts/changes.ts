import {
  awaitNotification,
  judge,
  listAll,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test_trigger_prompt_change'
const NOTICE = 'notifications/prompts/list_changed'

export default serverScenario({
  title: 'A server that announces changes of its prompts does so when a prompt comes or goes',
  needs: { capability: 'prompts.listChanged', fixture: { tool: FIXTURE } },
  session: 'own',
  claims: { notify: 'prompts.list-changed.notify' },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const before = await names(peer)
    const { mark } = peer
    const trigger = (): PromiseLike<unknown> => peer.request('tools/call', { name: FIXTURE, arguments: {} })
    await trigger()
    const changed = (await names(peer)) !== before
    const heard = (await awaitNotification(peer, mark, NOTICE)) !== undefined
    const got = { text: heard ? 'the notification' : 'no such notification', frames: peer.heard(mark) }
    // Whatever it changed is changed back: the list may be that of all sessions.
    await trigger()
    stream?.close()
    if (!changed) yield unmet(`fixture ${FIXTURE} changes nothing in prompts/list`)
    else if (!heard && stream !== undefined && stream.http.status !== 200)
      yield judge('notify', 'n/a', 'a stream for notifications', stream.http)
    else yield judge('notify', heard, `${NOTICE} once the list has changed`, got, 'missing')
  },
  defects: [
    {
      named: 'changes its list without a word',
      breaks: 'notify',
      kind: 'missing',
      tamper: tampers.message(message => (message.method === NOTICE ? undefined : message)),
    },
    {
      named: 'announces other things',
      breaks: 'notify',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === NOTICE ? { ...message, method: 'notifications/resources/list_changed' } : message,
      ),
    },
  ],
  variants: [
    { named: 'does not announce changes', replace: { capabilities: { prompts: {}, tools: {} } } },
    { named: 'lists no such tool', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
    {
      named: 'announces on the stream of the session',
      via: 'http',
      shows: ['notify'],
      replace: { strays: method => method === NOTICE },
    },
    {
      named: 'has no stream for it',
      via: 'http',
      replace: { get: () => ({ status: 405, reason: 'no' }), strays: method => method === NOTICE },
    },
  ],
})

async function names(peer: ServerPeer): Promise<string> {
  const { entries } = await listAll(peer, 'prompts/list', 'prompts')
  return JSON.stringify(entries.map(({ name }) => name))
}
