import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  type MessageFrame,
  reported,
  script,
  sent,
  stepKind,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const SLOW_MS = 2_000
const GIVES_UP_MS = 600
const SLOW = 1
const UNANSWERED = 3

interface Notes {
  first?: MessageFrame
  answeredAt?: number
  /** the first ping that was never answered */
  lost?: MessageFrame
}

/** The client pings: the first answer takes two seconds, and after that there is none. */
const PINGED = script({
  drive: {
    name: 'pings',
    steps: [
      { request: 'tools/list' },
      { request: 'ping' },
      { request: 'tools/list' },
      { request: 'ping', timeoutMs: GIVES_UP_MS },
    ],
  },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('ping', async call => {
      if (notes.first === undefined) {
        notes.first = call.frame
        await server.pause(SLOW_MS)
        notes.answeredAt = server.now()
        return { result: {} }
      }
      // A client that pings by itself goes on while the first one waits.
      if (notes.answeredAt === undefined) {
        await server.pause(SLOW_MS)
        return { result: {} }
      }
      notes.lost ??= call.frame
      return 'silence'
    })
  },
})

export default clientScenario({
  title: 'The client accepts a slow answer to its ping, and reports one that never comes as a failure',
  script: PINGED,
  claims: {
    patient: 'ping.timeout.appropriate',
    failure: 'ping.timeout.is-failure',
    survives: 'ping.timeout.may-terminate',
  },
  *run(seen) {
    const { first, answeredAt, lost } = seen.notes
    if (first === undefined) {
      yield unmet(undone(seen, 'send a ping'))
      return
    }
    const slow = seen.steps.get(SLOW)
    const next = sent(seen).find(
      ({ frame, id, method }) => id !== undefined && method !== 'ping' && frame.at > (answeredAt ?? Infinity),
    )
    yield judge(
      'patient',
      next !== undefined && slow?.outcome !== 'error',
      `a session that lives on when the answer takes ${SLOW_MS / 1_000} s`,
      next === undefined
        ? fateOfClient(seen)
        : slow?.outcome === 'error'
          ? { text: reported(slow), frames: [first] }
          : next.frame,
      stepKind(seen, SLOW),
    )
    if (lost === undefined) {
      yield unmet(undone(seen, 'send a second ping'), 'failure', 'survives')
      return
    }
    yield judge('survives', !crashed(seen), 'no crash when the answer does not come', fateOfClient(seen), endKind(seen))
    const told = seen.steps.get(UNANSWERED)
    const failed = told?.outcome === 'error' || (told === undefined && (seen.end.code ?? 0) !== 0)
    const waits = told === undefined && seen.end.how === 'stopped'
    if (told?.outcome === 'unsupported') yield unmet('the driver cannot set a limit to a ping', 'failure')
    else if (!failed && !waits && told === undefined)
      yield unmet('the driver does not tell what became of the ping', 'failure')
    else
      yield judge(
        'failure',
        failed,
        'a failure that the user gets to know',
        {
          text: told === undefined ? fateOfClient(seen).text : `it reports: ${told.message ?? told.outcome}`,
          frames: [lost, seen.end.frame],
        },
        waits ? 'stuck' : 'accepted',
      )
  },
  defects: [
    {
      named: 'gives its server no time',
      breaks: 'patient',
      kind: 'died',
      replace: { pings: { everyMs: 100, timeoutMs: 400, unanswered: 'disconnect' } },
    },
    {
      named: 'waits one second for any answer',
      breaks: 'patient',
      kind: 'refused',
      replace: { timeoutMs: 1_000 },
    },
    {
      named: 'waits for ever',
      breaks: 'failure',
      kind: 'stuck',
      replace: { onGiveUp: () => [], stopsWaiting: false },
    },
    {
      named: 'crashes without an answer',
      breaks: 'survives',
      kind: 'died',
      replace: {
        onGiveUp: () => {
          throw new Error('ping timeout')
        },
      },
    },
  ],
  variants: [
    {
      named: 'ends the connection when a ping is not answered',
      replace: { pings: { everyMs: 1_000, timeoutMs: 2_500, unanswered: 'disconnect' } },
    },
  ],
})
