import {
  at,
  followResults,
  isObject,
  type Json,
  judge,
  monitor,
  type Outcome,
  tampers,
} from '../../src/suite/monitor.ts'

/** A cursor is shown up to this length. */
const SHOWN = 80

/** Absence is how a list ends; `null` is none of the values that a cursor can have. */
export default monitor({
  title: 'nextCursor is a string, or absent',
  claims: { cursor: 'pagination.cursor.is-string' },
  start: () => followResults('tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'),
  *see(follow, frame) {
    for (const { method, result } of follow(frame)) {
      if (!isObject(result)) continue
      const cursor = at(result, 'nextCursor')
      const text = `nextCursor ${JSON.stringify(cursor)?.slice(0, SHOWN) ?? 'absent'} in the answer to ${method}`
      yield judge('cursor', outcomeOf(cursor), 'a string as nextCursor, or none', { text, frames: [frame] })
    }
  },
  defects: [
    ...[null, 2, { offset: 2 }, true, ''].map(nextCursor => ({
      named: `the cursor ${JSON.stringify(nextCursor)}`,
      on: 'server/resources/listed',
      breaks: 'cursor' as const,
      tamper: tampers.result('resources/list', result => ({ ...result, nextCursor })),
    })),
    {
      named: 'null behind the last page of tools',
      on: 'server/base/tool-schemas',
      breaks: 'cursor',
      tamper: tampers.result('tools/list', result => ({ ...result, nextCursor: null })),
    },
  ],
  variants: [
    {
      named: 'an odd cursor',
      on: 'server/pagination/last-page',
      shows: ['cursor'],
      replace: {
        page: (entries, cursor) => (cursor === undefined ? { entries, nextCursor: ' {"é": 1}\n' } : { entries: [] }),
      },
    },
  ],
})

/** Some clients take an empty cursor for the end, others send it back. */
function outcomeOf(cursor: Json | undefined): Outcome {
  if (cursor === undefined) return 'holds'
  return typeof cursor !== 'string' ? 'breaks' : cursor === '' ? 'bends' : 'holds'
}
