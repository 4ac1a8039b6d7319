import { describe, expect, test } from 'vitest'
import { createTaskMachine, mayMove } from '../../spec/task-machine.ts'
import type { JsonObject } from '../../wire/json-rpc.ts'
import { pagesOf } from './pages.ts'
import { serveTasks, type TaskOperation } from './tasks.ts'

function desk() {
  const told: JsonObject[] = []
  const machine = createTaskMachine<string>({ mayMove, announces: () => true, pollIntervalMs: 5 })
  const add = (id: string, owner = 'me') =>
    machine.add({ id, owner, ttl: null, announce: (_method, params) => told.push(params) })
  const serve = (operation: TaskOperation, params: JsonObject, waits = true) =>
    serveTasks(operation, params, {
      machine,
      requestor: 'me',
      rules: {
        target: ({ taskId }) => taskId,
        sees: (owner, requestor) => owner === requestor,
        keepsAfter: () => true,
        waits,
        page: pagesOf(2),
      },
      outcomeOf: ({ outcome }) => ({ result: { outcome: outcome ?? 'none' } }),
    })
  return { machine, told, add, serve }
}

describe('the requests for tasks', () => {
  test('are answered for tasks of the requestor only', async () => {
    const { add, serve } = desk()
    add('mine')
    add('theirs', 'you')
    expect(await serve('get', { taskId: 'mine' })).toMatchObject({ result: { taskId: 'mine', status: 'working' } })
    for (const operation of ['get', 'result', 'cancel'] as const)
      expect(await serve(operation, { taskId: 'theirs' })).toMatchObject({ error: { code: -32602 } })
    expect(await serve('list', {})).toMatchObject({ result: { tasks: [{ taskId: 'mine' }] } })
  })

  test('wait for the end of a task, where they are about its result', async () => {
    const { machine, add, serve, told } = desk()
    const task = add('t')
    const result = serve('result', { taskId: 't' })
    machine.move(task, 'input_required')
    machine.end(task, 'completed', 'done')
    expect(await result).toEqual({ result: { outcome: 'done' } })
    expect(told.map(({ status }) => status)).toEqual(['input_required', 'completed'])
  })

  test('cancel what has not ended, once', async () => {
    const { machine, add, serve } = desk()
    const task = add('t')
    expect(await serve('cancel', { taskId: 't' })).toMatchObject({ result: { status: 'cancelled' } })
    expect(await serve('cancel', { taskId: 't' })).toMatchObject({ error: { code: -32602 } })
    expect([machine.end(task, 'completed', 'late'), task.status, task.outcome]).toEqual([false, 'cancelled', undefined])
    expect(await serve('result', { taskId: 't' })).toEqual({ result: { outcome: 'none' } })
  })

  test('list in pages, and refuse a cursor that is not theirs', async () => {
    const { add, serve } = desk()
    for (const id of ['1', '2', '3']) add(id)
    expect(await serve('list', {})).toMatchObject({ result: { tasks: [{ taskId: '1' }, { taskId: '2' }] } })
    expect(await serve('list', { cursor: 'none' })).toMatchObject({ error: { code: -32602 } })
  })
})

test('a task is forgotten when it has outlived its time', () => {
  let now = 0
  const machine = createTaskMachine<string>({ mayMove, announces: () => false, pollIntervalMs: 5 }, () => now)
  machine.add({ id: 't', owner: 'me', ttl: 10 })
  now = 10
  expect(machine.visible(() => true).length).toBe(1)
  now = 11
  expect(machine.visible(() => true).length).toBe(0)
})
