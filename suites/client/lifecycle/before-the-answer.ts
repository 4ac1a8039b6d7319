import {
  clientScenario,
  judge,
  type Reply,
  script,
  sent,
  shookHands,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const THINKS_MS = 1_000

interface Notes {
  tested: string
  offered?: string
  answeredAt?: number
  ping?: Reply
}

/** The answer to `initialize` takes a while. It names the version under test where the client offers an older one. */
const HESITANT = script({
  drive: { name: 'initialize' },
  setup: ({ revision }) => ({
    negotiate: asked => (typeof asked === 'string' && asked > revision ? asked : revision),
  }),
  notes: (): Notes => ({ tested: '' }),
  play(server, notes) {
    notes.tested = server.revision
    server.on('initialize', async call => {
      notes.offered = String(call.params.protocolVersion)
      const began = server.now()
      // Over HTTP the answer to the ping would have no session yet that it could name.
      if (server.via === 'stdio') notes.ping = await call.ask('ping', undefined, { withinMs: THINKS_MS })
      await server.pause(THINKS_MS - (server.now() - began))
      notes.answeredAt = server.now()
      return {
        result: {
          protocolVersion: call.conversation.version,
          capabilities: { tools: {} },
          serverInfo: { name: 'mcp-conformance', version: '0.1.0' },
        },
      }
    })
  },
})

export default clientScenario({
  title: 'Before the response to initialize the client answers pings, and sends no request but ping itself',
  script: HESITANT,
  claims: {
    waits: 'lifecycle.init.client-only-ping-before-response',
    ping: 'ping.before-initialized.answered',
    latest: 'lifecycle.version.client-sends-latest',
  },
  *run(seen) {
    const { offered, tested, ping, answeredAt } = seen.notes
    const [hello] = sent(seen, 'initialize')
    if (hello === undefined || offered === undefined) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    if (ping !== undefined) yield judge('ping', ping.kind === 'result', 'an answer to ping before initialized', ping)
    if (answeredAt === undefined) yield unmet('the client ended before it was answered', 'waits', 'latest')
    else {
      const early = sent(seen).filter(
        ({ method, id, frame }) =>
          frame.at < answeredAt && id !== undefined && method !== 'ping' && method !== 'initialize',
      )
      const expected = 'no request but ping before the answer to initialize'
      if (early.length === 0) yield judge('waits', true, expected, hello.frame)
      for (const { method, frame } of early)
        yield judge('waits', false, expected, frame, { kind: 'wrong-order', subject: method })
      // What the client does not know it cannot accept. One that is told to speak an old version may know newer ones.
      yield judge('latest', offered >= tested || !shookHands(seen), `${tested}, if it is known`, {
        text: `it offered ${offered}${offered < tested && shookHands(seen) ? `, and accepted ${tested}` : ''}`,
        frames: [hello.frame],
      })
    }
  },
  defects: [
    {
      named: 'lists the tools without waiting',
      breaks: 'waits',
      kind: 'wrong-order',
      replace: { greets: when => (when === 'initialize sent' ? [{ method: 'tools/list' }] : []) },
    },
    {
      named: 'answers no ping before initialized',
      breaks: 'ping',
      kind: 'silent',
      via: 'stdio',
      replace: correct => {
        let introduced = false
        return {
          notices: message => {
            introduced ||= JSON.stringify(message).includes('"serverInfo"')
          },
          drops: message => correct.drops(message) || (message.method === 'ping' && !introduced),
        }
      },
    },
    {
      named: 'offers less than it knows',
      breaks: 'latest',
      kind: 'wrong-value',
      replace: { protocolVersion: () => '2025-06-18', acceptsVersion: () => true },
    },
  ],
  variants: [
    { named: 'pings at once', replace: { greets: when => (when === 'initialize sent' ? [{ method: 'ping' }] : []) } },
    { named: 'knows only an older version', replace: { protocolVersion: () => '2025-06-18' } },
  ],
})
