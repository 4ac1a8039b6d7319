import {
  at,
  fateOf,
  type Got,
  type JsonObject,
  judge,
  type MessageFrame,
  type ServerPeer,
  serverScenario,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

const LIBRARIES = { uri: 'file:///usr/lib', name: 'Libraries' }
/** The name is optional (client/roots#root). */
const NAMELESS = { uri: 'file:///usr/share' }
const MISSING = { uri: 'file:///x-conformance-no-such-directory', name: 'Missing' }
/** As many changes as a client with a nervous file watcher may announce at once. */
const MANY = 20

export default serverScenario({
  title: 'A server copes with roots that change again and again, and with a root that is not there',
  session: 'fresh',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    refetches: 'roots.list-changed.server-refetches',
    handles: 'roots.guideline.server-handles-changes',
    unavailable: 'roots.security.server-unavailable-roots',
  },
  async *run(peer) {
    const roots = offering(peer)
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    // The control: with a list that does not change, the server lives. What it asks first is asked now.
    await peer.watch()
    const control = await peer.settle()
    if (!control.alive) {
      yield unmet('the server answers no ping while its client offers roots')
      return
    }
    const before = peer.heard().filter(isQuestion)
    const asked = await roots.change([LIBRARIES, NAMELESS])
    const once = await peer.settle()
    yield judge('handles', once.alive, 'an answer to ping after a change of the roots', await fateOf(peer, once), {
      subject: 'one change',
    })
    if (!once.alive) return
    const curious = asked || before.length > 0
    const questions = peer.heard().filter(isQuestion)
    yield judge('refetches', curious ? asked : 'n/a', 'roots/list after the change of the list', questions, 'missing')

    for (let count = 1; count < MANY; count += 1) {
      roots.list = count % 2 === 0 ? [LIBRARIES, NAMELESS] : [NAMELESS]
      await peer.notify('notifications/roots/list_changed')
    }
    const often = await peer.settle()
    const fate = await fateOf(peer, often)
    yield judge('handles', often.alive, `an answer to ping after ${MANY} changes of the roots`, fate, {
      subject: 'many changes',
    })
    if (!often.alive) return

    if (await roots.change([MISSING])) {
      const { alive, got } = await work(peer)
      yield judge('unavailable', alive, 'answers to ping and tools/list while the only root is missing', got)
    } else yield judge('unavailable', 'n/a', 'a server that asks for the roots when they have changed', questions)
    stream?.close()
  },
  defects: [
    {
      named: 'never asks again',
      breaks: 'refetches',
      kind: 'missing',
      replace: { greets: when => (when === 'initialized' ? [{ method: 'roots/list' }] : []) },
    },
    {
      named: 'is stuck at the first change',
      breaks: 'handles',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('roots/list_changed')),
    },
    { named: 'is stuck at the tenth change', breaks: 'handles', kind: 'stuck', replace: stuckAtTenthChange },
    {
      named: 'is stuck when a root is missing',
      breaks: 'unavailable',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('no-such-directory')),
    },
    {
      named: 'crashes when a root is missing',
      breaks: 'unavailable',
      kind: 'died',
      program: 'crashes-on-missing-root',
    },
  ],
  variants: [
    { named: 'does not care for roots', shows: ['handles'], replace: { greets: () => [] } },
    {
      named: 'asks only when the roots change',
      shows: ['refetches', 'handles', 'unavailable'],
      replace: { greets: when => (when === 'roots changed' ? [{ method: 'roots/list' }] : []) },
    },
    { named: 'no GET stream', via: 'http', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
  ],
})

const isQuestion = ({ json }: MessageFrame): boolean => at(json, 'method') === 'roots/list'

/** Answers roots/list with the list that is set. */
function offering(peer: ServerPeer) {
  let heard = (): void => {}
  const roots = {
    list: [LIBRARIES] as JsonObject[],
    /** Announces another list; true when the server asks for it. */
    async change(list: JsonObject[]): Promise<boolean> {
      roots.list = list
      const asked = new Promise<true>(resolve => {
        heard = () => resolve(true)
      })
      await peer.notify('notifications/roots/list_changed')
      return Promise.race([asked, peer.watch().then(() => false)])
    },
  }
  peer.on('roots/list', () => {
    heard()
    return { result: { roots: roots.list } }
  })
  return roots
}

/** The answer to roots/list may be read after the first ping: two of them, and something to do. */
async function work(peer: ServerPeer): Promise<{ alive: boolean; got: Got }> {
  const first = await peer.settle()
  if (!first.alive) return { alive: false, got: await fateOf(peer, first) }
  if (peer.capabilities.tools !== undefined) {
    const listed = await peer.request('tools/list')
    if (listed.kind === 'none') return { alive: false, got: listed }
  }
  const second = await peer.settle()
  return { alive: second.alive, got: await fateOf(peer, second) }
}

function stuckAtTenthChange() {
  let changes = 0
  return stuckBy(text => {
    if (text.includes('roots/list_changed')) changes += 1
    return changes === 10
  })()
}
