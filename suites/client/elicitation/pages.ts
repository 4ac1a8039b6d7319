import {
  actionOf,
  at,
  clientScenario,
  codes,
  failure,
  judge,
  tampers,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { WEB_PAGES } from './_web-pages.ts'

export default clientScenario({
  title: 'The client accepts any elicitationId, and reports consent before the interaction is complete',
  needs: { capability: 'elicitation.url', since: '2025-11-25' },
  script: WEB_PAGES,
  claims: {
    opaque: 'elicitation.url.client-id-opaque',
    consent: 'elicitation.url.accept-is-consent-only',
  },
  *run(seen) {
    const { plain, odd } = seen.notes.asked
    if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (plain.kind === 'none')
      // No completion has been notified yet.
      yield judge('consent', 'bends', 'the consent of the user while nothing is done on the page yet', plain)
    else if (actionOf(plain) !== 'accept') yield unmet('its user did not agree to open a page')
    else {
      yield judge('consent', true, 'the consent of the user while nothing is done on the page yet', plain)
      if (odd !== undefined) yield judge('opaque', odd.kind === 'result', 'a result for an id of any form', odd)
    }
  },
  defects: [
    {
      named: 'wants ids without blanks',
      breaks: 'opaque',
      kind: 'refused',
      tamper: tampers.answer('elicitation/create', (message, cause) =>
        textAt(cause, 'params', 'elicitationId')?.includes(' ') === true
          ? failure(message.id, codes.invalidParams, 'Invalid elicitationId')
          : message,
      ),
    },
    {
      named: 'waits for the end before it agrees',
      breaks: 'consent',
      kind: 'silent',
      verdict: 'warn',
      replace: { drops: message => at(message, 'params', 'mode') === 'url' },
    },
  ],
})
