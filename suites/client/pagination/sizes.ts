import { clientScenario, judge, undone, unmet } from '../../../src/suite/client.ts'
import { askedFor, fetched, PAGED, PAGES } from '../_pages.ts'

const ODD = 'resources/list'
const USUAL = 'prompts/list'
const SINGLE = 'resources/templates/list'

export default clientScenario({
  title: 'The client reads lists to the last page and no further, whatever the page sizes',
  script: PAGES,
  claims: {
    both: 'pagination.client.both-flows',
    size: 'pagination.client.no-fixed-page-size',
    ends: 'pagination.client.missing-cursor-ends',
  },
  *run(seen) {
    const usual = askedFor(seen, USUAL)
    const odd = askedFor(seen, ODD)
    const single = askedFor(seen, SINGLE)
    if (usual[0] === undefined) yield unmet(undone(seen, 'list the prompts'), 'both')
    else
      yield judge(
        'both',
        fetched(seen, USUAL) === PAGED[USUAL].length,
        `all ${PAGED[USUAL].length} pages`,
        {
          text: `${fetched(seen, USUAL)} of them`,
          frames: usual.map(({ frame }) => frame),
        },
        { kind: 'ignored', subject: USUAL },
      )
    if (single[0] !== undefined)
      yield judge('both', seen.steps.get(3)?.outcome !== 'error', 'a list with a single page', single[0].frame, {
        kind: 'refused',
        subject: SINGLE,
      })
    if (odd[0] === undefined) yield unmet(undone(seen, 'list the resources'), 'size')
    else if (odd.length === 1 && fetched(seen, USUAL) <= 1)
      yield unmet('the client does not follow cursors at all', 'size')
    else
      yield judge(
        'size',
        fetched(seen, ODD) === PAGED[ODD].length,
        'the pages of 3, 1, 0 and 5 resources',
        {
          text: `${fetched(seen, ODD)} of them`,
          frames: odd.map(({ frame }) => frame),
        },
        'ignored',
      )
    for (const [method, asked] of [
      [USUAL, usual],
      [ODD, odd],
      [SINGLE, single],
    ] as const) {
      if (fetched(seen, method) !== PAGED[method].length) continue
      // A cursor that is not ours is judged as what it is; a list may be asked for anew.
      const last = asked.findIndex(
        ({ params }) => params.cursor === `${method.split('/')[0]}-page-${PAGED[method].length}`,
      )
      const beyond = asked.slice(last === -1 ? 1 : last + 1).filter(({ params }) => Object.hasOwn(params, 'cursor'))
      const frame = beyond[0]?.frame ?? asked.at(-1)?.frame ?? seen.end.frame
      yield judge('ends', beyond.length === 0, 'no page behind the last one', frame, {
        kind: 'unasked',
        subject: method,
      })
    }
  },
  defects: [
    {
      named: 'knows one page only',
      breaks: 'both',
      kind: 'ignored',
      replace: correct => ({ pages: { ...correct.pages, continues: () => false } }),
    },
    {
      named: 'stops at an empty page',
      breaks: 'size',
      kind: 'ignored',
      replace: correct => ({
        pages: { ...correct.pages, continues: page => page.items.length > 0 && correct.pages.continues(page) },
      }),
    },
    {
      named: 'stops at a page that is shorter than the one before it',
      breaks: 'size',
      kind: 'ignored',
      replace: correct => {
        let longest = 0
        return {
          pages: {
            ...correct.pages,
            continues: page => {
              longest = page.cursor === undefined ? page.items.length : Math.max(longest, page.items.length)
              return page.items.length >= longest && correct.pages.continues(page)
            },
          },
        }
      },
    },
    {
      named: 'asks for another page until there is an error',
      breaks: 'ends',
      kind: 'unasked',
      also: ['both'],
      replace: correct => ({
        pages: {
          ...correct.pages,
          continues: page => page.items.length > 0 || page.nextCursor !== undefined,
          cursor: given => (given === 'undefined' ? 'the end?' : given),
        },
      }),
    },
  ],
})
