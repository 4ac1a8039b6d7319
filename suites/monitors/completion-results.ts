import {
  at,
  type Frame,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Outcome,
  type Tamper,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** The longest list that one result may carry. */
const MAX_VALUES = 100
/** A result may be long: it is shown up to here. */
const SHOWN = 160

const CLAIMS = {
  values: 'completion.result.values',
  most: 'completion.result.max-100',
  total: 'completion.result.total',
  more: 'completion.result.has-more',
} as const

/** The results of completion/complete. */
export default monitor({
  title: 'A completion has at most 100 values, all of them text, and counts them rightly',
  claims: CLAIMS,
  start: () => ({ follow: followResults('completion/complete'), heard: false, seen: false }),
  *see(state, frame) {
    state.heard ||= theirMessages(frame).length > 0
    for (const { result } of state.follow(frame)) {
      const completion = at(result, 'completion')
      if (!isObject(completion)) continue
      state.seen = true
      yield* judgeCompletion(completion, frame)
    }
  },
  *end(state) {
    if (!state.heard || state.seen) return
    for (const claim of Object.keys(CLAIMS) as (keyof typeof CLAIMS)[])
      yield judge(claim, 'n/a', 'a completion', { text: 'none was sent', frames: [] })
  },
  defects: [
    ...[undefined, null, 'paris', [{ value: 'paris' }], [null], [1, 2], { 0: 'paris' }].map(values => ({
      named: `the values are ${JSON.stringify(values) ?? 'absent'}`,
      on: 'server/completion/complete',
      breaks: 'values' as const,
      tamper: completing({ values }),
    })),
    {
      named: 'all values at once',
      on: 'server/completion/complete',
      breaks: 'most',
      tamper: completing({ values: numbered(101), total: 101, hasMore: false }),
    },
    ...['150', null, -1, 2.5].map(total => ({
      named: `the total is ${JSON.stringify(total)}`,
      on: 'server/completion/complete',
      breaks: 'total' as const,
      tamper: completing({ values: [], total }),
    })),
    {
      named: 'the total is less than what is there',
      on: 'server/completion/complete',
      breaks: 'total',
      tamper: completing({ values: ['a', 'b', 'c'], total: 1 }),
    },
    ...['false', null, 0].map(hasMore => ({
      named: `hasMore is ${JSON.stringify(hasMore)}`,
      on: 'server/completion/complete',
      breaks: 'more' as const,
      tamper: completing({ values: [], hasMore }),
    })),
    {
      named: 'more than it gave, and no more',
      on: 'server/completion/complete',
      breaks: 'more',
      tamper: completing({ values: ['a'], total: 10, hasMore: false }),
    },
  ],
  variants: [
    {
      named: 'no value, and nothing else',
      on: 'server/completion/complete',
      shows: ['values', 'most', 'total', 'more'],
      tamper: completing({ values: [] }),
    },
    {
      named: 'a hundred of many',
      on: 'server/completion/complete',
      shows: ['values', 'most', 'total', 'more'],
      tamper: completing({ values: numbered(100), total: 100_000, hasMore: true }),
    },
    {
      named: 'more of which the number is not known',
      on: 'server/completion/complete',
      shows: ['total', 'more'],
      tamper: completing({ values: ['a'], hasMore: true }),
    },
    {
      named: 'does not say whether there is more',
      on: 'server/completion/complete',
      shows: ['total', 'more'],
      tamper: completing({ values: ['a'], total: 10 }),
    },
  ],
})

function* judgeCompletion(completion: JsonObject, frame: Frame) {
  const { values, total, hasMore } = completion
  const got = { text: `the completion ${JSON.stringify(completion).slice(0, SHOWN)}`, frames: [frame] }
  const texts = Array.isArray(values) && values.every(value => typeof value === 'string')
  yield judge('values', texts, 'values that are an array of texts', got)
  const count = Array.isArray(values) ? values.length : 0
  yield judge('most', count <= MAX_VALUES, `${MAX_VALUES} values at most`, {
    text: `${count} values`,
    frames: [frame],
  })
  yield judge('total', totalOf(total, count), 'no total, or a whole number that is not less than the values', got)
  yield judge('more', moreOf(hasMore, total, count), 'hasMore absent or a boolean, and true where total says so', got)
}

function totalOf(total: Json | undefined, count: number): Outcome {
  if (total === undefined) return 'holds'
  if (typeof total !== 'number' || !Number.isInteger(total) || total < 0) return 'breaks'
  return total >= count ? 'holds' : 'bends'
}

function moreOf(hasMore: Json | undefined, total: Json | undefined, count: number): Outcome {
  if (hasMore !== undefined && typeof hasMore !== 'boolean') return 'breaks'
  return hasMore === false && typeof total === 'number' && total > count ? 'bends' : 'holds'
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `value ${index + 1}`)
}

function completing(completion: JsonObject): Tamper {
  return tampers.result('completion/complete', () => ({ completion }))
}
