import {
  at,
  clientScenario,
  endKind,
  fateOfClient,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** A server with nothing but the base protocol, which is all that it has to have. */
const BARE = script({
  drive: { name: 'initialize' },
  setup: () => ({ capabilities: {} }),
  notes: (): { pings: Reply[] } => ({ pings: [] }),
  async play(server, notes) {
    server.on('tools/list', async call => {
      notes.pings.push(await call.ask('ping'))
      return { error: { code: -32601, message: 'Method not found' } }
    })
    const talk = await server.opened()
    // A client that requests nothing may end at once: then it cannot be pinged.
    if (talk !== undefined && (await talk.listened(LISTENING_MS))) notes.pings.push(await talk.ask('ping'))
  },
})

const LISTENING_MS = 300

export default clientScenario({
  title: 'The client accepts a server that declares no feature',
  script: BARE,
  claims: { copes: 'base.core.features-optional' },
  *run(seen) {
    const [first] = seen.conversations
    if (first === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    yield judge('copes', first.initialized, 'the handshake to be completed', fateOfClient(seen), {
      kind: endKind(seen),
      subject: 'initialize',
    })
    for (const ping of seen.notes.pings) {
      // A client that has ended by itself meanwhile need not answer.
      if (ping.kind === 'none' && ping.why === 'closed') continue
      yield judge('copes', ping.kind === 'result', 'a result for a ping', ping, { subject: 'ping' })
    }
  },
  defects: [
    {
      named: 'parts from a server without tools',
      breaks: 'copes',
      kind: 'died',
      replace: {
        notices: message => {
          const declared = at(message, 'result', 'capabilities')
          if (declared !== undefined && at(declared, 'tools') === undefined) throw new Error('no tools')
        },
      },
    },
    {
      named: 'lists tools nevertheless, and answers nothing until it has them',
      breaks: 'copes',
      kind: 'silent',
      replace: { undeclared: () => undefined, answersWhilePending: false },
    },
  ],
  variants: [{ named: 'lists tools nevertheless', replace: { undeclared: () => undefined } }],
})
