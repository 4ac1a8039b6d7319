/** How good the ids of tasks are (basic/utilities/tasks#task-isolation-and-access-control). */
import type { Outcome } from './judgement.ts'

/** Ids below this length, or with fewer characters that differ, can be guessed with some patience. */
const GOOD_LENGTH = 16
const GOOD_VARIETY = 10
/** Steps up to here come from a counter or a clock. */
const COUNTED = 10_000

/** How easily the next id could be guessed from these. */
export function guess(ids: readonly string[]): Outcome {
  const from = commonPrefix(ids)
  const to = commonPrefix(ids.map(id => [...id].reverse().join('')))
  const numbers = ids
    .map(id => id.slice(from, id.length - to))
    .map(part => (/^\d+$/.test(part) ? Number(part) : Number.NaN))
  // Requests that run side by side are answered in any order.
  numbers.sort((a, b) => a - b)
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? Number.NaN))
  if (ids.every(id => id === ids[0]) || steps.every(step => step > 0 && step <= COUNTED)) return 'breaks'
  const shortest = Math.min(...ids.map(id => id.length))
  const varying = Array.from({ length: shortest }, (_, place) => new Set(ids.map(id => id[place])).size > 1)
  return shortest < GOOD_LENGTH || varying.filter(Boolean).length < GOOD_VARIETY ? 'bends' : 'holds'
}

function commonPrefix(ids: readonly string[]): number {
  const [first = ''] = ids
  let length = 0
  while (length < first.length && ids.every(id => id[length] === first[length])) length += 1
  return length
}
