import {
  actionOf,
  clientScenario,
  codes,
  failure,
  judge,
  responses,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { WEB_PAGES } from './_web-pages.ts'

export default clientScenario({
  title: 'The client ignores completion notifications for elicitations that it does not wait for',
  needs: { capability: 'elicitation.url', since: '2025-11-25' },
  script: WEB_PAGES,
  claims: { ignores: 'elicitation.complete.client-ignores-unknown' },
  *run(seen) {
    const { asked, uponUnknown } = seen.notes
    if (asked.alive === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (actionOf(asked.plain) !== 'accept') yield unmet('its user did not agree to open a page')
    else {
      yield judge('ignores', asked.alive.kind === 'result', 'an answer to the ping behind them', asked.alive)
      // A response without id answers none of our requests: it answers a notification.
      const complaints = responses(seen).filter(({ message }) => (message.id ?? null) === null)
      const frames = complaints.map(({ frame }) => frame)
      if (frames.length > 0) yield judge('ignores', false, 'no answer to notifications', frames, 'unasked')
      const again = { text: `${uponUnknown} more calls`, frames: sent(seen, 'tools/call').map(({ frame }) => frame) }
      if (uponUnknown !== undefined)
        yield judge('ignores', uponUnknown === 0, 'no new call upon the end of another page', again, {
          kind: 'unasked',
          subject: 'tools/call',
        })
    }
  },
  defects: [
    {
      named: 'sends its call again whatever page is done',
      breaks: 'ignores',
      kind: 'unasked',
      replace: client => ({ elicitation: { ...client.elicitation, ends: (_id, waiting) => waiting.at(-1) } }),
    },
    {
      named: 'answers the notification with an error',
      breaks: 'ignores',
      kind: 'unasked',
      replace: {
        onNotification: message =>
          message.method === 'notifications/elicitation/complete'
            ? failure(null, codes.invalidParams, 'Unknown elicitation')
            : undefined,
      },
    },
    {
      named: 'ends at an unknown page',
      breaks: 'ignores',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('nobody-knows')) throw new Error('no such elicitation')
        },
      },
    },
  ],
  variants: [
    {
      named: 'leaves the next call to its user',
      shows: ['ignores'],
      replace: client => ({ elicitation: { ...client.elicitation, completionWaitMs: 0 } }),
    },
  ],
})
