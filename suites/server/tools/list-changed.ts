import {
  at,
  idKey,
  judge,
  listAll,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const TRIGGER = 'test_trigger_tool_change'
const CHANGED = 'notifications/tools/list_changed'
/** How often we look for it: 5 s with the usual timeouts, which is where the catalogue draws the line. */
const LOOKS = 5

export default serverScenario({
  title: 'A change of the tool list is announced',
  needs: { capability: 'tools.listChanged' },
  claims: { announced: 'tools.list-changed.notify' },
  async *run(peer) {
    const before = await namesOf(peer)
    if (!before.names.has(idKey(TRIGGER))) {
      yield unmet(`fixture ${TRIGGER} not offered`)
      return
    }
    // Over HTTP it may come on a stream of its own, or beside the answer to the call.
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const { mark } = peer
    const call = await peer.request('tools/call', { name: TRIGGER, arguments: {} })
    const after = await namesOf(peer)
    if (same(before.names, after.names)) yield unmet(`fixture ${TRIGGER} does not change the list`)
    else {
      const news = () => peer.heard(mark).filter(frame => at(frame.json, 'method') === CHANGED)
      await peer.settle()
      for (let look = 0; look < LOOKS && news().length === 0; look += 1) await peer.watch()
      const unheard = peer.via === 'http' && stream?.http.status !== 200 && news().length === 0
      if (unheard) yield judge('announced', 'n/a', 'a GET stream to hear it on', stream?.http ?? call)
      else
        yield judge(
          'announced',
          news().length > 0,
          CHANGED,
          news().length > 0 ? news() : { text: SILENT, frames: call.frames },
          'missing',
        )
      // The list is left as it was found.
      await peer.request('tools/call', { name: TRIGGER, arguments: {} })
    }
    stream?.close()
  },
  defects: [
    {
      named: 'changes are not announced',
      breaks: 'announced',
      kind: 'missing',
      tamper: tampers.message(message => (message.method === CHANGED ? undefined : message)),
    },
    {
      named: 'changes of something else are announced',
      breaks: 'announced',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === CHANGED ? { ...message, method: 'notifications/prompts/list_changed' } : message,
      ),
    },
  ],
  variants: [
    {
      named: 'offers no GET stream',
      via: 'http',
      replace: { get: () => ({ status: 405, reason: 'no stream' }) },
    },
    { named: 'has no such tool', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

const SILENT = 'no such notification, though the list has changed'

async function namesOf(peer: ServerPeer): Promise<{ names: Set<string> }> {
  const { entries } = await listAll(peer, 'tools/list', 'tools')
  return { names: new Set(entries.map(tool => idKey(tool.name))) }
}

const same = (a: Set<string>, b: Set<string>): boolean => a.size === b.size && [...a].every(name => b.has(name))
