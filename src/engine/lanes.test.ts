import { expect, test } from 'vitest'
import { signal } from '../wire/wait.ts'
import { runLanes } from './lanes.ts'

/** Units that end when they are told to; says which have begun. */
function stage(names: readonly string[]) {
  const ends = new Map(names.map(name => [name, signal<void>()]))
  const begun: string[] = []
  const play = async (name: string): Promise<void> => {
    begun.push(name)
    await ends.get(name)?.promise
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.resolve()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { begun, play, end }
}

test('as many go on side by side as the limit allows at that moment, in the order of the list', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const { begun, play, end } = stage(names)
  let limit = 2
  const over = runLanes(names, () => limit, play)
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  limit = 1
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
  limit = 3
  await end('c')
  expect(begun).toEqual(names)
  await end('d')
  await end('e')
  await over
})

test('a limit of nothing still lets one go on', async () => {
  const done: string[] = []
  await runLanes(
    ['a', 'b'],
    () => 0,
    async name => {
      done.push(name)
    },
  )
  expect(done).toEqual(['a', 'b'])
})

test('one that has to wait lets those behind it go first', async () => {
  const names = ['a', 'b', 'c']
  const { begun, play, end } = stage(names)
  let isFree = false
  const over = runLanes(
    names,
    () => 2,
    play,
    name => name !== 'a' || isFree,
  )
  expect(begun).toEqual(['b', 'c'])
  isFree = true
  await end('b')
  expect(begun).toEqual(['b', 'c', 'a'])
  await end('a')
  await end('c')
  await over
})

test('where nothing goes on, nobody is waited for', async () => {
  const { begun, play, end } = stage(['a'])
  const over = runLanes(
    ['a'],
    () => 1,
    play,
    () => false,
  )
  expect(begun).toEqual(['a'])
  await end('a')
  await over
})
