import {
  at,
  awaitNotification,
  callAsking,
  judge,
  type ServerPeer,
  serverScenario,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'Of two clients that are asked by URL each gets an id of its own, and hears of its own interaction only',
  session: 'fresh',
  hello: WILLING,
  needs: { via: 'http', capability: 'tools', fixture: { tool: 'test_elicitation_url' }, since: '2025-11-25' },
  claims: {
    unique: 'elicitation.url.id-unique',
    alone: 'elicitation.complete.only-to-initiator',
  },
  async *run(peer) {
    const other = await peer.another(WILLING)
    const [own, foreign] = [await consent(peer), await consent(other)]
    const id = textAt(own?.params, 'elicitationId')
    if (own === undefined || foreign === undefined || id === undefined) {
      yield unmet('test_elicitation_url did not ask both clients by URL')
      return
    }
    const differ = id !== textAt(foreign.params, 'elicitationId')
    yield judge('unique', differ, 'two ids that differ', [own.frame, foreign.frame], 'duplicate')
    if (!differ) {
      yield unmet('two interactions with one id cannot be told apart', 'alone')
      return
    }
    const mark = peer.mark
    await peer.request('tools/call', {
      name: 'test_elicitation_url_finish',
      arguments: { elicitationId: id, credential: 'none' },
    })
    const told = await awaitNotification(peer, mark, COMPLETE)
    await other.settle()
    const overheard = other.heard(mark).filter(({ json }) => at(json, 'method') === COMPLETE)
    if (told === undefined && overheard.length === 0) yield judge('alone', 'n/a', COMPLETE, peer.heard(mark))
    else
      yield judge(
        'alone',
        overheard.length === 0,
        'silence towards the client that is not concerned',
        overheard,
        'leaked',
      )
  },
  defects: [
    {
      named: 'counts all elicitations as one',
      breaks: 'unique',
      kind: 'duplicate',
      replace: { elicitationIds: () => 'elicitation' },
    },
    {
      named: 'tells everybody who waits',
      breaks: 'alone',
      kind: 'leaked',
      replace: { hears: (finished, others) => [finished, ...others] },
    },
    {
      named: 'tells the wrong one',
      breaks: 'alone',
      kind: 'leaked',
      replace: { hears: (_finished, others) => others },
    },
  ],
  variants: [{ named: 'announces no end', replace: { hears: () => [] } }],
})

const COMPLETE = 'notifications/elicitation/complete'

/** Has the user agree to open the page, and no more. */
async function consent(peer: ServerPeer) {
  const { asked } = await callAsking(peer, { name: 'test_elicitation_url' }, 'elicitation/create', () => ({
    result: { action: 'accept' },
  }))
  return asked[0]
}
