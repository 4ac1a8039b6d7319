import {
  at,
  idKey,
  type Json,
  type JsonObject,
  judge,
  listAll,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Every call may cost time. */
const MOST_CALLS = 5

export default serverScenario({
  title: 'Whatever tool reports progress does so with the token of its call',
  needs: { capability: 'tools' },
  claims: { echoes: 'progress.notify.echo-token' },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const { mark } = peer
    const tokens = new Set<string>()
    for (const name of await callable(peer)) {
      const progressToken = `x-conformance-${name}`
      tokens.add(idKey(progressToken))
      const call = peer.request(
        'tools/call',
        { name, arguments: {} },
        { meta: { progressToken }, withinMs: 3 * peer.timeouts.watchMs },
      )
      // What takes longer has said enough by now.
      if ((await call).kind === 'none') await call.cancel('this takes too long')
    }
    await peer.settle()
    stream?.close()
    const reports = peer.heard(mark).filter(({ json }) => at(json, 'method') === 'notifications/progress')
    if (reports.length === 0) {
      yield unmet('no tool that may be called without arguments reported progress')
      return
    }
    const foreign = reports.filter(({ json }) => !tokens.has(idKey(at(json, 'params', 'progressToken'))))
    yield judge('echoes', foreign.length === 0, 'the token of a call in each progress notification', foreign)
  },
  defects: [
    { named: 'numbers its calls', breaks: 'echoes', kind: 'wrong-value', tamper: retoken(() => 7) },
    {
      named: 'uses the name of the tool',
      breaks: 'echoes',
      kind: 'wrong-value',
      tamper: retoken(token => String(token).slice(14)),
    },
  ],
  variants: [
    {
      named: 'reports nothing',
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
  ],
})

/** The names of tools that may be called and need no arguments; first those that speak of progress. */
async function callable(peer: ServerPeer): Promise<string[]> {
  const { entries } = await listAll(peer, 'tools/list', 'tools')
  const free = entries.filter(entry => {
    const required = at(entry, 'inputSchema', 'required')
    const bare = required === undefined || (Array.isArray(required) && required.length === 0)
    return bare && at(entry, 'execution', 'taskSupport') !== 'required' && peer.mayCall(entry)
  })
  const speaks = (entry: JsonObject): boolean => /progress/i.test(`${String(entry.name)} ${String(entry.description)}`)
  return [...free.filter(speaks), ...free.filter(entry => !speaks(entry))]
    .slice(0, MOST_CALLS)
    .map(({ name }) => String(name))
}

function retoken(rename: (token: Json | undefined) => Json) {
  return tampers.message(message =>
    message.method === 'notifications/progress'
      ? { ...message, params: { progressToken: rename(at(message, 'params', 'progressToken')), progress: 1 } }
      : message,
  )
}
