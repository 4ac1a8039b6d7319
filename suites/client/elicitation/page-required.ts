import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { WEB_PAGES } from './_web-pages.ts'

export default clientScenario({
  title: 'A client with URL elicitation shows its user the pages that error -32042 lists',
  needs: { capability: 'elicitation.url', since: '2025-11-25' },
  script: WEB_PAGES,
  claims: { handles: 'elicitation.required-error.client-handles' },
  *run(seen) {
    const { calls } = seen.notes
    if (calls.length === 0) {
      yield unmet(undone(seen, 'call the tool that needs a page'))
      return
    }
    const frames = sent(seen, 'tools/call').map(({ frame }) => frame)
    const shown = seen.frames.find(frame => frame.kind === 'stderr' && frame.text.includes('/demanded-page'))
    const expected = 'the page shown to the user, or the call sent again once it was done'
    if (crashed(seen)) yield judge('handles', false, expected, fateOfClient(seen), endKind(seen))
    else if (calls.some(({ done }) => done)) yield judge('handles', true, expected, frames)
    else if (shown !== undefined) yield judge('handles', true, expected, shown)
    else {
      // It may have been shown where nobody but the user sees it: this is no more than a hint.
      const report = seen.steps.get(1)
      const told = report === undefined ? 'nothing' : `the outcome ${report.outcome}`
      const text = `the call was not sent again, and the driver printed ${told} without the URL`
      yield judge('handles', 'bends', expected, { text, frames }, 'ignored')
    }
  },
  defects: [
    {
      named: 'hands the error on and forgets the pages',
      breaks: 'handles',
      kind: 'ignored',
      verdict: 'info',
      replace: client => ({ elicitation: { ...client.elicitation, demanded: () => [] } }),
    },
    {
      named: 'crashes upon the error',
      breaks: 'handles',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('-32042')) throw new Error('unknown error code')
        },
      },
    },
  ],
  variants: [
    {
      named: 'shows the page and leaves the next call to its user',
      shows: ['handles'],
      replace: client => ({ elicitation: { ...client.elicitation, completionWaitMs: 0 } }),
    },
  ],
})
