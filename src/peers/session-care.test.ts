import { expect, test } from 'vitest'
import { createSessionCare } from './session-care.ts'

test('a session begins with a name of its own and ends once, however often it is closed', async () => {
  const events: string[] = []
  const care = createSessionCare((session, event) => events.push(`${session} ${event}`))
  const session = care.nextSession()
  let closed = 0
  const peer = care.keep(
    {
      async close() {
        closed += 1
      },
    },
    session,
  )
  void peer.close()
  care.closeAll()
  await care.over()
  expect(closed).toBe(1)
  expect(events).toEqual(['s1 begins', 's1 ends'])
})
