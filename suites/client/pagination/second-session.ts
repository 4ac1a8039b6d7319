import { clientScenario, type JsonObject, judge, undone, unmet } from '../../../src/suite/client.ts'
import { askedFor, fetched, PAGES, type PagedList } from '../_pages.ts'

const LISTS: PagedList[] = ['tools/list', 'prompts/list', 'resources/list']

export default clientScenario({
  title: 'The client does not use cursors of one session in the next one',
  script: PAGES,
  claims: { fresh: 'pagination.client.no-persistence' },
  *run(seen) {
    if (!LISTS.some(method => fetched(seen, method) > 1)) {
      yield unmet('the client follows no cursor')
      return
    }
    const again = LISTS.flatMap(method => askedFor(seen, method, 2).slice(0, 1))
    if (again.length === 0) yield unmet(undone(seen, 'list anything in a second session'))
    for (const { method, params, frame } of again)
      yield judge('fresh', !Object.hasOwn(params, 'cursor'), 'no cursor in the first request of a session', frame, {
        kind: 'leaked',
        subject: method,
      })
  },
  defects: [
    {
      named: 'goes on where the last session has ended',
      breaks: 'fresh',
      kind: 'leaked',
      replace: correct => {
        const last = new Map<string, string>()
        return {
          pages: {
            ...correct.pages,
            first: method => last.get(method),
            cursor: (given, method) => {
              last.set(method, given)
              return given
            },
            params: (cursor, params): JsonObject => correct.pages.params(cursor, params),
          },
        }
      },
    },
  ],
})
