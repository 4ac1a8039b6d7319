import { clientScenario, judge, PLAIN, sent, undone, unmet } from '../../../src/suite/client.ts'
import { versionIn } from '../_versions.ts'

export default clientScenario({
  title: 'The first request of the client asks the server what it is, so that one with sessions is recognised',
  needs: { since: '2026-07-28', via: 'stdio' },
  script: PLAIN,
  claims: {
    probes: 'versioning.modern-client-stdio-probes',
    first: 'transport-stdio.dual-era-client-probes',
  },
  *run(seen) {
    const asked = sent(seen).filter(({ id }) => id !== undefined)
    const [first] = asked
    // Whether it speaks older revisions, too, does not show: either kind of client begins so.
    if (first === undefined || !asked.some(({ params }) => versionIn(params) === seen.revision)) {
      yield unmet(undone(seen, `ask in version ${seen.revision}`))
      return
    }
    for (const claim of ['probes', 'first'] as const)
      yield judge(claim, first.method === 'server/discover', 'server/discover', first.frame, 'wrong-order')
  },
  defects: (['probes', 'first'] as const).map(breaks => ({
    named: 'asks for the tools first',
    breaks,
    kind: 'wrong-order' as const,
    also: ['probes', 'first'] as const,
    replace: correct => ({ modern: { ...correct.modern, discovers: false } }),
  })),
})
