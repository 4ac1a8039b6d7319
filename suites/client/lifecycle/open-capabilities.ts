import {
  at,
  clientScenario,
  endKind,
  fateOfClient,
  judge,
  type Reply,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** Capabilities are no closed set: experimental ones, and one that is not defined yet. */
const OPEN = script({
  drive: { name: 'initialize' },
  setup: () => ({
    capabilities: { tools: {}, experimental: { 'com.example/x': {} }, 'com.example/future': { enabled: true } },
  }),
  notes: (): { ping?: Reply } => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      notes.ping = await call.ask('ping')
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client tolerates capabilities that it does not know',
  script: OPEN,
  claims: { tolerates: 'lifecycle.capabilities.unknown-tolerated' },
  *run(seen) {
    const [hello] = sent(seen, 'initialize')
    if (hello === undefined) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const ready = sent(seen, 'notifications/initialized')[0]
    yield judge(
      'tolerates',
      ready !== undefined,
      'the rest of the handshake',
      ready?.frame ?? fateOfClient(seen),
      endKind(seen),
    )
    const { ping } = seen.notes
    if (ping !== undefined)
      yield judge('tolerates', ping.kind !== 'none', 'an answer to ping', ping, { subject: 'ping' })
  },
  defects: [
    {
      named: 'knows all capabilities that there are',
      breaks: 'tolerates',
      kind: 'died',
      replace: {
        notices: message => {
          const declared = at(message, 'result', 'capabilities') ?? {}
          if (Object.keys(declared).some(name => name.includes('future'))) throw new Error('unknown capability')
        },
      },
    },
    {
      named: 'has no use for experimental capabilities',
      breaks: 'tolerates',
      kind: 'died',
      replace: {
        notices: message => {
          if (at(message, 'result', 'capabilities', 'experimental') !== undefined) throw new Error('not supported')
        },
      },
    },
  ],
})
