import {
  actionOf,
  clientScenario,
  declaration,
  declared,
  judge,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { DECLINING } from './_declining.ts'
import { opensPages } from './_web-pages.ts'

/** The user declines each page: whoever visits it all the same does so before the consent, or without it. */
export default clientScenario({
  title: 'No page is fetched or opened that the user has not agreed to',
  needs: { since: '2025-11-25' },
  script: DECLINING,
  claims: {
    prefetch: 'elicitation.client.no-prefetch',
    opens: 'elicitation.client.no-open-without-consent',
    first: 'elicitation.ui.url-consent-first',
  },
  *run(seen) {
    const { demanded, hits } = seen.notes
    const { page } = seen.notes.asked
    const capability = declared(seen, 'elicitation')
    const claims = ['prefetch', 'opens', 'first'] as const
    if (seen.conversations.length > 0 && !opensPages(capability)) {
      const got = declaration(seen, `elicitation: ${JSON.stringify(capability) ?? 'not declared'}`)
      for (const claim of claims) yield judge(claim, 'n/a', 'elicitation.url', got)
      return
    }
    if (page === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const visits = hits.map(({ method, target }) => `${method} ${target}`).join(', ')
    const calls = demanded ? sent(seen, 'tools/call').map(({ frame }) => frame) : []
    const got = { text: visits === '' ? 'nobody came' : visits, frames: [...page.frames, ...calls] }
    if (hits.length === 0 && actionOf(page) === undefined) yield unmet('its user was not asked about the page')
    else if (actionOf(page) === 'accept') yield unmet('its user agreed, and was to decline')
    else for (const claim of claims) yield judge(claim, hits.length === 0, 'nobody at pages that were declined', got)
  },
  defects: [
    {
      named: 'looks at the page before its user does',
      breaks: 'prefetch',
      also: ['opens', 'first'],
      replace: ({ fetching }) => ({ fetching: { ...fetching, fetches: (_url, occasion) => occasion === 'shown' } }),
    },
    {
      named: 'opens the page all the same',
      breaks: 'opens',
      also: ['prefetch', 'first'],
      replace: ({ fetching }) => ({ fetching: { ...fetching, fetches: (_url, occasion) => occasion === 'refused' } }),
    },
    {
      named: 'opens what a refused call demands at once',
      breaks: 'first',
      also: ['prefetch', 'opens'],
      replace: ({ fetching }) => ({
        fetching: { ...fetching, fetches: (url, occasion) => occasion === 'shown' && url.includes('demanded') },
      }),
    },
  ],
})
