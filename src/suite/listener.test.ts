import { expect, test } from 'vitest'
import { createLog, type Frame } from '../wire/log.ts'
import { openListener } from './listener.ts'

test('what comes to the listener and what it answers is in the log, on the channel that no monitor judges', async () => {
  const log = createLog()
  const frames: Frame[] = []
  log.subscribe(frame => frames.push(frame))
  const listener = await openListener({
    recordElsewhere: head => log.add({ channel: 'auth', session: 'c1', ...head }),
  })
  try {
    await (await fetch(listener.at('/page?a=1'))).text()
  } finally {
    await listener.close()
  }
  expect(frames.map(frame => (frame.kind === 'http' ? [frame.channel, frame.from, frame.start] : []))).toEqual([
    ['auth', 'them', 'GET /page?a=1'],
    ['auth', 'us', 'HTTP/1.1 200'],
  ])
  expect(listener.hits[0]?.frame).toBe(frames[0])
})
