import { clientScenario, type Json, judge, undone, unmet } from '../../../src/suite/client.ts'
import { askedFor, cursorsOf, fetched, PAGED, PAGES } from '../_pages.ts'

const LIST = 'tools/list'

export default clientScenario({
  title: 'The client sends cursors back unchanged, whatever their form',
  script: PAGES,
  claims: {
    member: 'pagination.request.cursor-in-params',
    opaque: 'pagination.client.opaque',
    unchanged: 'pagination.client.no-modification',
    formless: 'pagination.client.no-format-assumption',
  },
  *run(seen) {
    const asked = askedFor(seen, LIST)
    const [first, ...more] = asked
    if (first === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    yield judge('member', !Object.hasOwn(first.params, 'cursor'), 'no cursor in the first request', first.frame, {
      kind: 'unasked',
      subject: 'the first page',
    })
    // A list that is asked for anew has no cursor either.
    const followed = more.filter(({ params }) => Object.keys(params).some(name => name !== '_meta'))
    // The control: a list with plain cursors.
    if (followed.length === 0 && fetched(seen, 'prompts/list') <= 1) {
      yield unmet('the client follows no cursor', 'opaque', 'unchanged', 'formless')
      return
    }
    const ours = cursorsOf(LIST)
    for (const { params, frame } of followed) {
      const isText = typeof params.cursor === 'string'
      yield judge('member', Object.hasOwn(params, 'cursor') && isText, 'params.cursor as a string', frame, {
        kind: Object.hasOwn(params, 'cursor') ? 'wrong-type' : 'missing',
        subject: 'a later page',
      })
      if (!isText) continue
      const known = ours.includes(params.cursor as string)
      yield judge('opaque', known, 'a cursor as it came', frame)
      yield judge('unchanged', known, 'a cursor that we have given out', frame)
    }
    if (followed.some(({ params }) => !ours.includes(params.cursor as string))) return
    const pages = fetched(seen, LIST)
    const stuck = ours[pages - 1]
    yield judge(
      'formless',
      stuck === undefined,
      `all ${PAGED[LIST].length} pages`,
      {
        text:
          stuck === undefined ? 'all of them' : `it does not follow the cursor ${JSON.stringify(stuck.slice(0, 40))}`,
        frames: [(followed.at(-1) ?? first).frame],
      },
      'ignored',
    )
  },
  defects: [
    {
      named: 'says nextCursor in place of cursor',
      breaks: 'member',
      kind: 'missing',
      replace: correct => ({
        pages: {
          ...correct.pages,
          params: (cursor, params) => (cursor === undefined ? params : { ...params, nextCursor: cursor }),
          continues: page => page.count < 2 && correct.pages.continues(page),
        },
      }),
    },
    {
      named: 'begins with a cursor that is null',
      breaks: 'member',
      kind: 'unasked',
      replace: correct => ({ pages: { ...correct.pages, first: () => null } }),
    },
    ...(
      [
        ['trims cursors', (cursor: string) => cursor.trim()],
        [
          'makes numbers of cursors that look like them',
          (cursor: string) => (/^\d+$/.test(cursor) ? `${+cursor + 1}` : cursor),
        ],
        ['encodes cursors for a URL', (cursor: string) => encodeURIComponent(cursor)],
        ['looks into cursors', (cursor: string) => (cursor.startsWith('eyJ') ? atob(cursor) : cursor)],
        ['cuts long cursors', (cursor: string) => cursor.slice(0, 1_000)],
      ] as [string, (cursor: string) => Json][]
    ).map(([named, cursor]) => ({
      named,
      breaks: 'opaque' as const,
      kind: 'wrong-value' as const,
      also: ['unchanged' as const],
      replace: (correct: { pages: object }) => ({ pages: { ...correct.pages, cursor } as never }),
    })),
    {
      named: 'counts pages by itself',
      breaks: 'unchanged',
      kind: 'wrong-value',
      also: ['opaque'],
      replace: correct => {
        let page = 1
        return {
          pages: {
            ...correct.pages,
            cursor: () => {
              page += 1
              return String(page)
            },
          },
        }
      },
    },
    {
      named: 'follows cursors without blanks only',
      breaks: 'formless',
      kind: 'ignored',
      replace: correct => ({
        pages: {
          ...correct.pages,
          continues: page => correct.pages.continues(page) && !/\s\d|\d\s/.test(String(page.nextCursor)),
        },
      }),
    },
    {
      named: 'follows no long cursors',
      breaks: 'formless',
      kind: 'ignored',
      replace: correct => ({
        pages: {
          ...correct.pages,
          continues: page => correct.pages.continues(page) && String(page.nextCursor).length < 1_024,
        },
      }),
    },
  ],
})
