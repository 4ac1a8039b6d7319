import { clientScenario, endKind, fateOfClient, judge, PLAIN, sent, shookHands } from '../../../src/suite/client.ts'

export default clientScenario({
  title: 'The client starts its server as a process, and talks to it over stdin and stdout',
  needs: { via: 'stdio' },
  script: PLAIN,
  claims: {
    launches: 'transport-stdio.launch.subprocess',
    supports: 'transport-stdio.support.client',
  },
  *run(seen) {
    const [hello] = sent(seen, 'initialize')
    yield judge(
      'launches',
      seen.launches > 0 && hello !== undefined,
      'a server that is started and gets initialize',
      hello?.frame ?? fateOfClient(seen),
      'silent',
    )
    const ready = sent(seen, 'notifications/initialized')[0]
    yield judge(
      'supports',
      shookHands(seen),
      'a session over stdin and stdout',
      ready?.frame ?? fateOfClient(seen),
      endKind(seen),
    )
  },
  defects: [
    {
      named: 'starts the server and says nothing',
      breaks: 'launches',
      kind: 'silent',
      also: ['supports'],
      replace: { frame: () => '', initializeTimeoutMs: 300 },
    },
    {
      named: 'does not understand its output',
      breaks: 'supports',
      kind: 'died',
      replace: { parse: () => undefined, initializeTimeoutMs: 300 },
    },
  ],
})
