import { clientScenario, judge, undone, unmet } from '../../../src/suite/client.ts'
import { fallbackOf } from '../_fallback.ts'
import { refusing } from './_refusing.ts'

/** HTTP 500 says nothing about the transport. */
export default clientScenario({
  title: 'The client does not fall back to the older transport on HTTP 500',
  needs: { via: 'http', since: '2025-11-25' },
  script: refusing(500),
  claims: { stays: 'transport-http.compat.client-falls-back-to-get' },
  *run(seen) {
    const { refused, looking, got } = fallbackOf(seen)
    if (refused === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    yield judge('stays', looking === undefined, 'no GET for an event stream', got, 'unasked')
  },
  defects: [
    { named: 'looks for it whatever happens', breaks: 'stays', kind: 'unasked', replace: { fallsBack: () => true } },
  ],
})
