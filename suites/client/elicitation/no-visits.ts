import { actionOf, clientScenario, judge, sent, undone, unmet } from '../../../src/suite/client.ts'
import { DECLINING } from './_declining.ts'

/** The user declines each page: a request for it comes before the consent, or without it. */
export default clientScenario({
  title: 'No page is fetched or opened that the user has not agreed to',
  needs: { capability: 'elicitation.url', since: '2025-11-25' },
  script: DECLINING,
  claims: {
    prefetch: 'elicitation.client.no-prefetch',
    opens: 'elicitation.client.no-open-without-consent',
    first: 'elicitation.ui.url-consent-first',
  },
  *run(seen) {
    const { demanded, hits } = seen.notes
    const { page } = seen.notes.asked
    if (page === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const calls = demanded ? sent(seen, 'tools/call').map(({ frame }) => frame) : []
    const frames = [...page.frames, ...calls]
    const expected = 'nobody at pages that were declined'
    if (hits.length === 0 && actionOf(page) === undefined) yield unmet('its user was not asked about the page')
    else if (actionOf(page) === 'accept') yield unmet('its user agreed, and was to decline')
    else
      for (const claim of ['prefetch', 'opens', 'first'] as const) {
        if (hits.length === 0) yield judge(claim, true, expected, { text: 'nobody came', frames })
        for (const { target, frame } of hits)
          yield judge(claim, false, expected, [...frames, frame], { kind: 'unasked', subject: pageAt(target) })
      }
  },
  defects: [
    {
      named: 'looks at the page before its user does',
      breaks: 'prefetch',
      kind: 'unasked',
      also: ['opens', 'first'],
      replace: ({ fetching }) => ({ fetching: { ...fetching, fetches: (_url, occasion) => occasion === 'shown' } }),
    },
    {
      named: 'opens the page all the same',
      breaks: 'opens',
      kind: 'unasked',
      also: ['prefetch', 'first'],
      replace: ({ fetching }) => ({ fetching: { ...fetching, fetches: (_url, occasion) => occasion === 'refused' } }),
    },
    {
      named: 'opens what a refused call demands at once',
      breaks: 'first',
      kind: 'unasked',
      also: ['prefetch', 'opens'],
      replace: ({ fetching }) => ({
        fetching: { ...fetching, fetches: (url, occasion) => occasion === 'shown' && url.includes('demanded') },
      }),
    },
  ],
})

const pageAt = (target: string): string =>
  target.startsWith('/demanded') ? 'a page that a refused call demands' : 'a page that is asked for'
