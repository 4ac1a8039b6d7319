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
} from '../../src/suite/monitor.ts'

/** The longest list that one result may carry. */
const MAX_VALUES = 100
/** A result may be long: it is shown up to here. */
const SHOWN = 160

const CLAIMS = {
  most: 'completion.result.max-100',
  total: 'completion.result.total',
  more: 'completion.result.has-more',
} as const

/** The results of completion/complete. Types are a matter of monitors/schema. */
export default monitor({
  title: 'A completion has at most 100 values, and counts them rightly',
  claims: CLAIMS,
  unseen: 'n/a',
  start: () => followResults('completion/complete'),
  *see(follow, frame) {
    for (const { result } of follow(frame)) {
      const completion = at(result, 'completion')
      if (isObject(completion)) yield* judgeCompletion(completion, frame)
    }
  },
  defects: [
    {
      named: 'all values at once',
      on: 'server/completion/complete',
      breaks: 'most',
      kind: 'wrong-value',
      tamper: completing({ values: numbered(101), total: 101, hasMore: false }),
    },
    ...[-1, 2.5].map(total => ({
      named: `the total is ${JSON.stringify(total)}`,
      on: 'server/completion/complete',
      breaks: 'total' as const,
      kind: 'wrong-value' as const,
      tamper: completing({ values: [], total }),
    })),
    {
      named: 'the total is less than what is there',
      on: 'server/completion/complete',
      breaks: 'total',
      kind: 'wrong-value',
      verdict: 'info',
      tamper: completing({ values: ['a', 'b', 'c'], total: 1 }),
    },
    {
      named: 'more than it gave, and no more',
      on: 'server/completion/complete',
      breaks: 'more',
      kind: 'wrong-value',
      verdict: 'info',
      tamper: completing({ values: ['a'], total: 10, hasMore: false }),
    },
  ],
  variants: [
    {
      named: 'no value, and nothing else',
      on: 'server/completion/complete',
      shows: ['most', 'total', 'more'],
      tamper: completing({ values: [] }),
    },
    {
      named: 'a hundred of many',
      on: 'server/completion/complete',
      shows: ['most', 'total', 'more'],
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
  const count = Array.isArray(values) ? values.length : 0
  yield judge('most', count <= MAX_VALUES, `${MAX_VALUES} values at most`, {
    text: `${count} values`,
    frames: [frame],
  })
  if (total === undefined || typeof total === 'number')
    yield judge('total', totalOf(total, count), 'no total, or a whole number that is not less than the values', got)
  if (hasMore === undefined || typeof hasMore === 'boolean')
    yield judge('more', moreOf(hasMore, total, count), 'hasMore true, or absent, where total says so', got)
}

function totalOf(total: number | undefined, count: number): Outcome {
  if (total === undefined) return 'holds'
  if (!Number.isInteger(total) || total < 0) return 'breaks'
  return total >= count ? 'holds' : 'bends'
}

function moreOf(hasMore: boolean | undefined, total: Json | undefined, count: number): Outcome {
  return hasMore === false && typeof total === 'number' && total > count ? 'bends' : 'holds'
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `value ${index + 1}`)
}

function completing(completion: JsonObject): Tamper {
  return tampers.result('completion/complete', () => ({ completion }))
}
