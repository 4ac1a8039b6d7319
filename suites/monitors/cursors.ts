import { at, followResults, isObject, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** Absence is how a list ends. Which types a cursor may have is a matter of monitors/schema. */
export default monitor({
  title: 'nextCursor is no empty string',
  claims: { cursor: 'pagination.cursor.is-string' },
  start: () => followResults('tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'),
  *see(follow, frame) {
    for (const { method, result } of follow(frame)) {
      if (!isObject(result)) continue
      const cursor = at(result, 'nextCursor')
      if (cursor !== undefined && typeof cursor !== 'string') continue
      const text = `${cursor === '' ? 'an empty nextCursor' : 'none'} in the answer to ${method}`
      // Some clients take an empty cursor for the end, others send it back.
      yield judge(
        'cursor',
        cursor === '' ? 'bends' : 'holds',
        'no empty nextCursor',
        { text, frames: [frame] },
        { kind: 'wrong-value', subject: method },
      )
    }
  },
  defects: [
    {
      named: 'an empty cursor',
      on: 'server/resources/listed',
      breaks: 'cursor',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: tampers.result('resources/list', result => ({ ...result, nextCursor: '' })),
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
