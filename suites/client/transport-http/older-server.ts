import { clientScenario, judge, undone, unmet } from '../../../src/suite/client.ts'
import { fallbackOf } from '../_fallback.ts'
import { refusing } from './_refusing.ts'

/** A server of the older transport refuses the first POST. To support such servers is up to the client. */
export default clientScenario({
  title: 'A client that falls back to the older transport sends GET with Accept: text/event-stream',
  needs: { via: 'http', since: '2025-11-25' },
  script: refusing(405),
  claims: { looks: 'transport-http.compat.client-falls-back-to-get' },
  *run(seen) {
    const { refused, looking, got } = fallbackOf(seen)
    if (refused === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    const outcome = looking === undefined ? 'n/a' : looking.streams ? 'holds' : 'breaks'
    yield judge('looks', outcome, 'GET with Accept: text/event-stream', got, 'wrong-value')
  },
  defects: [
    {
      named: 'GET without a word of event streams',
      breaks: 'looks',
      kind: 'wrong-value',
      replace: { accept: ({ method }) => (method === 'GET' ? '*/*' : 'application/json, text/event-stream') },
    },
  ],
  variants: [{ named: 'knows one transport only', replace: { fallsBack: () => false } }],
})
