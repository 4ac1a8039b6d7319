import {
  type ClientRun,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  type Sent,
  sent,
  undone,
  unmet,
  type Yielded,
} from '../../../src/suite/client.ts'
import { type Given, gaveUp, LIMIT_MS, type Notes, STEPS, UNANSWERED } from '../_unanswered-calls.ts'

type Run = ClientRun<Notes>

const callOf = (seen: ClientRun<unknown>, name: string) =>
  sent(seen, 'tools/call').find(({ params }) => params.name === name)

export default clientScenario({
  title: 'The client stops waiting for a call that is not answered, cancels it, and goes on',
  script: UNANSWERED,
  claims: {
    limited: 'lifecycle.timeout.set-for-requests',
    cancels: 'lifecycle.timeout.cancel-on-timeout',
    stops: 'lifecycle.timeout.stop-waiting',
    maximum: 'lifecycle.timeout.maximum',
    orderly: 'lifecycle.errors.request-timeout',
  },
  *run(seen) {
    const { held } = seen.notes
    const call = callOf(seen, 'held')
    if (held === undefined || call === undefined) {
      yield unmet(undone(seen, 'call the tool held'))
      return
    }
    if (seen.steps.get(STEPS.held)?.outcome === 'unsupported') {
      yield unmet('the driver cannot set a limit to a request')
      return
    }
    const isOver = gaveUp(seen, held, call.frame)
    const got = {
      text: isOver ? `given up within ${held.waitedMs} ms` : `still waiting after ${held.waitedMs} ms`,
      frames: [call.frame, ...(held.cancelled === undefined ? [] : [held.cancelled])],
    }
    yield judge('limited', isOver, `it is given up after ${LIMIT_MS} ms, as it was told`, got, 'ignored')
    if (isOver) yield* judgeGivenUp(seen, call, held)
    else yield unmet('the client did not give up', 'cancels', 'stops', 'orderly')
    yield* judgeMaximum(seen)
  },
  defects: [
    {
      named: 'waits for ever',
      breaks: 'limited',
      kind: 'ignored',
      also: ['maximum'],
      replace: { onGiveUp: () => [], stopsWaiting: false },
    },
    { named: 'gives up without a word', breaks: 'cancels', kind: 'missing', replace: { onGiveUp: () => [] } },
    { named: 'cancels and waits on', breaks: 'stops', kind: 'accepted', replace: { stopsWaiting: false } },
    {
      named: 'a late answer is too much for it',
      breaks: 'stops',
      kind: 'died',
      also: ['orderly'],
      replace: {
        onUnknownResponse: () => {
          throw new Error('there is no such request')
        },
      },
    },
    {
      named: 'does not answer pings after a timeout',
      breaks: 'orderly',
      kind: 'silent',
      replace: correct => {
        let late = false
        return {
          onGiveUp: (request, reason) => {
            late = true
            return correct.onGiveUp(request, reason)
          },
          drops: () => late,
        }
      },
    },
    {
      named: 'progress keeps it waiting',
      breaks: 'maximum',
      kind: 'ignored',
      replace: { progressExtends: true },
    },
  ],
  variants: [
    { named: 'progress keeps it waiting, up to a limit', replace: { progressExtends: true, maximumMs: 1_000 } },
  ],
})

/** What it did with the call that it gave up, and behind it. */
function* judgeGivenUp(seen: Run, call: Sent, held: Given): Generator<Yielded<'cancels' | 'orderly' | 'stops'>> {
  const { ping } = seen.notes
  const cancelled = sent(seen, 'notifications/cancelled').find(({ params }) => params.requestId === call.id)
  yield judge(
    'cancels',
    cancelled !== undefined,
    `notifications/cancelled with the id ${JSON.stringify(call.id)}`,
    cancelled?.frame ?? fateOfClient(seen),
    'missing',
  )
  yield judge('orderly', !crashed(seen), 'no crash', fateOfClient(seen), endKind(seen))
  if (ping !== undefined)
    yield judge('orderly', ping.kind === 'result', 'an answer to ping after that', ping, { subject: 'ping' })
  const next = callOf(seen, 'next')
  const believed = seen.steps.get(STEPS.held)?.outcome === 'result'
  if (next === undefined && !crashed(seen)) yield unmet(undone(seen, 'go on to the next call'), 'stops')
  else {
    const stops = held.movedOn && !believed && !crashed(seen)
    const got = {
      text: held.movedOn ? 'it went on before the answer came' : 'it went on only when the answer had come',
      frames: [call.frame, ...(next === undefined ? [seen.end.frame] : [next.frame])],
    }
    const kind = crashed(seen) ? 'died' : believed ? 'accepted' : 'late'
    yield judge('stops', stops, 'the late answer makes no difference', got, kind)
  }
}

/** Whether a call that reports progress for ever comes to an end. */
function* judgeMaximum(seen: Run): Generator<Yielded<'maximum'>> {
  const { endless } = seen.notes
  const call = callOf(seen, 'endless')
  if (endless === undefined || call === undefined) {
    yield unmet(undone(seen, 'call the tool endless'), 'maximum')
    return
  }
  const stopped = endless.cancelled !== undefined || endless.movedOn
  const got = {
    text: `${stopped ? 'given up within' : 'still waiting after'} ${endless.waitedMs} ms of progress`,
    frames: [call.frame],
  }
  yield judge('maximum', stopped, `it is given up after ${LIMIT_MS} ms, whatever progress there is`, got, 'ignored')
}
