import { clientScenario, judge, undone, unmet } from '../../../src/suite/client.ts'
import { askedFor, fetched, PAGED, PAGES } from '../_pages.ts'

const LIST = 'prompts/list'

export default clientScenario({
  title: 'The client reads lists of prompts over all their pages',
  script: PAGES,
  claims: { pages: 'prompts.client.pagination' },
  *run(seen) {
    const asked = askedFor(seen, LIST)
    if (asked.length === 0) {
      yield unmet(undone(seen, 'list the prompts'))
      return
    }
    const pages = fetched(seen, LIST)
    yield judge(
      'pages',
      pages === PAGED[LIST].length,
      `all ${PAGED[LIST].length} pages`,
      {
        text: `${pages} of them`,
        frames: asked.map(({ frame }) => frame),
      },
      'ignored',
    )
  },
  defects: [
    {
      named: 'has enough prompts with the first page',
      breaks: 'pages',
      kind: 'ignored',
      replace: correct => ({
        pages: {
          ...correct.pages,
          continues: page => !JSON.stringify(page.items).includes('prompt_') && correct.pages.continues(page),
        },
      }),
    },
  ],
})
