import {
  at,
  clientScenario,
  fateOfClient,
  idKey,
  judge,
  notification,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

interface Notes {
  /** the client still waited when we gave it an answer */
  outlasted?: true
}

/** Longer than that a client may well wait for a server that starts slowly. */
const WAIT_MS = 4_000

/** Our server takes so long for initialize that an impatient client gives up. */
const SLEEPING = script({
  drive: { name: 'initialize' },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('initialize', async call => {
      call.stream()
      await Promise.race([call.cancelled, server.pause(WAIT_MS)])
      if (!server.isOver && !call.isCancelled) notes.outlasted = true
      return { error: { code: -32603, message: 'The server is not ready' } }
    })
  },
})

export default clientScenario({
  title: 'The client sends no cancellation for initialize when it stops waiting for it',
  script: SLEEPING,
  claims: { goes: 'cancellation.send.not-initialize' },
  *run(seen) {
    const [opening] = sent(seen, 'initialize')
    if (opening === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    const told = sent(seen, 'notifications/cancelled').find(
      ({ params }) => idKey(at(params, 'requestId')) === idKey(opening.id),
    )
    const wanted = 'no notifications/cancelled for initialize'
    if (told !== undefined) yield judge('goes', false, wanted, told.frame, 'unasked')
    else if (seen.notes.outlasted === true) yield unmet(`the client waits longer than ${WAIT_MS / 1_000} s`)
    else yield judge('goes', true, wanted, fateOfClient(seen))
  },
  defects: [
    {
      named: 'cancels whatever it gives up',
      breaks: 'goes',
      kind: 'unasked',
      replace: {
        initializeTimeoutMs: 200,
        onGiveUp: ({ id }, reason) => [notification('notifications/cancelled', { requestId: id ?? null, reason })],
      },
    },
  ],
  variants: [{ named: 'gives up soon', shows: ['goes'], replace: { initializeTimeoutMs: 200 } }],
})
