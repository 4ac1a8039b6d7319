import { describe, expect, test } from 'vitest'
import { playTask } from './played-task.ts'

describe('a played task', () => {
  test('goes on with each poll, and stays in its last status', () => {
    const task = playTask(['working', 'input_required', 'completed'], 30)
    const seen = Array.from({ length: 4 }, () => {
      task.poll()
      return task.describe().status
    })
    expect(seen).toEqual(['working', 'input_required', 'completed', 'completed'])
  })

  test('goes to its end for who waits, and cannot be cancelled then', () => {
    const task = playTask(['working', 'failed'], 30)
    task.finish()
    expect([task.status, task.cancel(), task.status]).toEqual(['failed', false, 'failed'])
  })

  test('stays cancelled', () => {
    const task = playTask(['working', 'completed'], 30)
    expect(task.cancel()).toBe(true)
    task.poll()
    task.finish()
    expect(task.status).toBe('cancelled')
  })

  test('is described with its id, its times and the interval', () => {
    const task = playTask(['working'], 30)
    expect(task.describe()).toMatchObject({ taskId: task.taskId, status: 'working', ttl: 60_000, pollInterval: 30 })
  })
})
