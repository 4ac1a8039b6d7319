import {
  clientScenario,
  endKind,
  fateOfClient,
  judge,
  PLAIN,
  sent,
  tampers,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** Drafts have names of their own; released versions are dates. */
const LOOKS_LIKE_A_VERSION = /^\d{4}-\d{2}-\d{2}$|draft/i

export default clientScenario({
  title: 'The client offers a version that exists, and works with it when the server agrees',
  script: PLAIN,
  claims: { supported: 'lifecycle.version.client-sends-supported' },
  *run(seen) {
    const [hello] = sent(seen, 'initialize')
    const offered = textAt(hello?.params, 'protocolVersion')
    if (hello === undefined || offered === undefined) {
      yield unmet(undone(seen, 'offer a version'))
      return
    }
    yield judge('supported', LOOKS_LIKE_A_VERSION.test(offered), 'a version of the protocol', hello.frame)
    // A version that we do not know was answered with another one.
    if (seen.conversations[0]?.version !== offered) return
    const next = sent(seen).find(({ method }) => method !== 'initialize' && method !== 'ping')
    yield judge(
      'supported',
      next !== undefined,
      'it goes on when the server agrees',
      next?.frame ?? fateOfClient(seen),
      endKind(seen),
    )
  },
  defects: [
    {
      named: 'refuses what it has offered itself',
      breaks: 'supported',
      kind: 'died',
      replace: { acceptsVersion: answered => answered === '2024-11-05' },
    },
    {
      named: 'offers version "1.0"',
      breaks: 'supported',
      kind: 'wrong-value',
      tamper: tampers.message(message =>
        message.method === 'initialize'
          ? { ...message, params: { ...(message.params as object), protocolVersion: '1.0' } }
          : message,
      ),
    },
  ],
})
