import { clientScenario, judge, PLAIN, sent, shookHands, undone, unmet } from '../../../src/suite/client.ts'

const ASKED_FOR = 'tools/'
const FEATURES = ['prompts/', 'resources/', 'completion/', 'logging/', 'tasks/']

/** The plain server declares tools, and nobody asks the client for more than them. */
export default clientScenario({
  title: 'The client sends a server that declares only tools no request for another feature',
  script: PLAIN,
  claims: { only: 'lifecycle.operation.client-only-negotiated-capabilities' },
  *run(seen) {
    if (!shookHands(seen)) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const undeclared = sent(seen).filter(({ method }) => FEATURES.some(feature => method.startsWith(feature)))
    const usual = sent(seen).find(({ method }) => method.startsWith(ASKED_FOR))
    const expected = 'requests for what the server declares'
    if (undeclared.length === 0) yield judge('only', true, expected, (usual ?? sent(seen)[0])?.frame ?? seen.end.frame)
    for (const { method, frame } of undeclared)
      yield judge('only', false, expected, frame, { kind: 'unasked', subject: method })
  },
  defects: ['prompts/list', 'resources/list', 'resources/templates/list'].map(method => ({
    named: `${method} as a matter of course`,
    breaks: 'only' as const,
    kind: 'unasked' as const,
    replace: { greets: (when: string) => (when === 'initialized' ? [{ method }] : []) },
  })),
})
