import { expect, test } from 'vitest'
import { judge } from '../suite/judgement.ts'
import { monitor } from '../suite/monitor-definition.ts'
import { createLog } from '../wire/log.ts'
import { createObserver } from './observe.ts'

const context = { via: 'stdio', role: 'server', offered: '2025-11-25' } as const

test('a monitor that throws is named, and neither the wire nor the other monitors notice', () => {
  const faulty = monitor({
    title: 'Throws at the first frame',
    claims: { a: 'ping.response.prompt' },
    frames: 'all',
    start: () => undefined,
    see() {
      throw new Error('our own fault')
    },
    defects: [],
  })
  const sound = monitor({
    title: 'Sees each frame',
    claims: { a: 'ping.response.prompt' },
    frames: 'all',
    start: () => undefined,
    *see(_state, frame) {
      yield judge('a', true, 'a frame', frame)
    },
    defects: [],
  })
  const log = createLog()
  const named = [
    { id: 'monitors/faulty', monitor: faulty },
    { id: 'monitors/sound', monitor: sound },
  ]
  const observer = createObserver(named, log, context)
  log.add({ channel: 'mcp', session: 's1', kind: 'stderr', text: 'x' })
  log.add({ channel: 'mcp', session: 's1', kind: 'stderr', text: 'y' })
  observer.close()
  expect(observer.broken.get('monitors/faulty')?.message).toBe('our own fault')
  expect(observer.observed().map(one => one.monitor)).toEqual(['monitors/sound'])
})

test('a monitor is shown messages, and all other frames where it asks for them', () => {
  const counting = (seen: string[], frames: { frames?: 'all' }) =>
    monitor({
      title: 'Counts what it is shown',
      claims: { a: 'ping.response.prompt' },
      ...frames,
      start: () => undefined,
      see(_state, frame) {
        seen.push(frame.kind)
        return []
      },
      defects: [],
    })
  const some: string[] = []
  const all: string[] = []
  const log = createLog()
  const named = [
    { id: 'monitors/some', monitor: counting(some, {}) },
    { id: 'monitors/all', monitor: counting(all, { frames: 'all' }) },
  ]
  const observer = createObserver(named, log, context)
  log.add({ channel: 'mcp', session: 's1', kind: 'stderr', text: 'x' })
  log.add({ channel: 'mcp', session: 's1', kind: 'message', from: 'them', text: '{}', json: {} })
  observer.close()
  expect([some, all]).toEqual([['message'], ['stderr', 'message']])
})
