import {
  at,
  type ClientRun,
  clientScenario,
  fateOfClient,
  type Got,
  judge,
  ODD_CURSOR,
  sent,
  undone,
  unmet,
  type Yielded,
} from '../../../src/suite/client.ts'
import { calling, isOver, type Played, type Playing, trusting } from './_called-tasks.ts'
import { COURSES, FOLLOWING, INTERVAL_MS, POLLS } from './_following-tasks.ts'

/** Clocks and loads differ: a poll is early where a good part of the interval is missing, twice. */
const EARLY = 0.8

const ENDS = {
  working: ['task_completed', 'task_failed', 'task_cancelled'],
  waiting: ['task_asks', 'task_asks_completed', 'task_asks_failed', 'task_asks_cancelled'],
  forgotten: ['task_forgotten', 'task_given_up'],
} as const

export default clientScenario({
  title:
    'A client that calls a tool as a task polls it at pollInterval until a terminal status, and handles each of them',
  needs: { since: '2025-11-25' },
  script: FOLLOWING,
  claims: {
    polls: 'tasks.get.polls-until-terminal',
    interval: 'tasks.get.respects-poll-interval',
    alone: 'tasks.status.requestor-not-reliant',
    keeps: 'tasks.status.requestor-keeps-polling',
    fetches: 'tasks.input.requestor-calls-result',
    working: 'tasks.lifecycle.from-working',
    waiting: 'tasks.lifecycle.from-input-required',
    forgotten: 'tasks.cancel.requestor-not-reliant',
    cursor: 'tasks.list.cursor-opaque',
    token: 'tasks.progress.token-valid-for-lifetime',
  },
  *run(seen) {
    const { task_plain: plain, task_told: told, task_asks: asks } = seen.notes
    const [, second] = sent(seen, 'tasks/list')
    if (second === undefined) yield unmet(undone(seen, 'follow a list of tasks'), 'cursor')
    else yield judge('cursor', second.params.cursor === ODD_CURSOR, `the cursor ${ODD_CURSOR}`, second.frame)
    if (plain === undefined) {
      yield unmet(undone(seen, 'call a tool as a task'))
      return
    }
    yield* judgePolls(plain)
    if (told !== undefined) yield* judgeTold(seen, plain, told)
    // Who waits in tasks/result already is there when the input is asked for.
    if (asks !== undefined) {
      const fetched = asks.fetches.some(({ status }) => status !== 'completed')
      yield judge('fetches', fetched, 'tasks/result when the status is input_required', asks.polls, 'missing')
    }
    yield* judgeEnds(seen)
  },
  defects: [
    {
      named: 'gives up while the task works',
      breaks: 'polls',
      kind: 'missing',
      also: ['alone', 'fetches', 'keeps'],
      replace: calling({ onStatus: () => 'give up' }),
    },
    { named: 'polls without a pause', breaks: 'interval', kind: 'ignored', replace: calling({ pauseMs: () => 5 }) },
    {
      named: 'waits for a notification that nobody has to send',
      breaks: 'alone',
      kind: 'missing',
      also: ['polls', 'working', 'waiting', 'forgotten', 'keeps', 'fetches'],
      replace: calling({ polls: () => false }),
    },
    { named: 'relies on notifications once there was one', breaks: 'keeps', kind: 'missing', replace: trusting },
    {
      named: 'leaves a task alone that needs input',
      breaks: 'fetches',
      kind: 'missing',
      replace: calling({
        onStatus: status => (status === 'working' || status === 'input_required' ? 'poll' : 'fetch'),
      }),
    },
    {
      named: 'waits for completed only',
      breaks: 'working',
      kind: 'stuck',
      also: ['waiting'],
      replace: calling({
        onStatus: status => (status === 'completed' || status === 'input_required' ? 'fetch' : 'poll'),
      }),
    },
    {
      named: 'never comes back from input_required',
      breaks: 'waiting',
      kind: 'stuck',
      also: ['fetches'],
      replace: calling({
        onStatus: status => (status === 'input_required' ? 'hang' : status === 'working' ? 'poll' : 'fetch'),
      }),
    },
    {
      named: 'hangs when a task is not found',
      breaks: 'forgotten',
      kind: 'stuck',
      replace: calling({ whenForgotten: 'hang' }),
    },
    {
      named: 'encodes the cursor',
      breaks: 'cursor',
      kind: 'wrong-value',
      replace: client => ({ pages: { ...client.pages, cursor: given => encodeURIComponent(given) } }),
    },
    {
      named: 'one token for everything',
      breaks: 'token',
      kind: 'duplicate',
      replace: { progressToken: () => 'progress' },
    },
  ],
  variants: [{ named: 'waits in tasks/result from the start', replace: calling({ onStatus: () => 'fetch' }) }],
})

/** A task that is never notified of: it has to be polled to its end, at the pace that is suggested. */
function* judgePolls({ polls, fetches, call }: Playing): Generator<Yielded<'polls' | 'alone' | 'interval'>> {
  const got: Got = fetches[0]?.frame ?? polls.at(-1) ?? call.frame
  const waited = fetches.some(({ status }) => status === 'working')
  const followed = polls.length >= POLLS || waited
  yield judge('polls', followed, 'polls until the end, or a tasks/result that waits', got, 'missing')
  yield judge('alone', fetches.length > 0, 'the result of the task, though nothing is notified', got, 'missing')
  const gaps = polls.slice(1).map((poll, index) => poll.at - (polls[index]?.at ?? 0))
  const early = gaps.filter(gap => gap < INTERVAL_MS * EARLY)
  const pauses = { text: `pauses of ${gaps.map(Math.round).join(', ')} ms`, frames: polls }
  yield judge('interval', early.length < 2, `pauses of ${INTERVAL_MS} ms, the pollInterval`, pauses, 'ignored')
}

/** A task that is notified of once, while the first one goes on. */
function* judgeTold(seen: ClientRun<Played>, plain: Playing, told: Playing): Generator<Yielded<'keeps' | 'token'>> {
  const goesOn = told.polls.length > 1 || told.fetches.length > 0
  yield judge('keeps', goesOn, 'polls that go on after a status notification', told.polls, 'missing')
  const tokens = [plain, told].map(({ call }) => at(call.params, '_meta', 'progressToken'))
  const frames = [plain.call.frame, told.call.frame]
  const later = [...plain.polls, ...plain.fetches.map(({ frame }) => frame)]
  const lives = later.some(({ seq }) => seq > told.call.frame.seq)
  const expected = 'a token of its own for each task that goes on'
  if (tokens.includes(undefined)) yield unmet(undone(seen, 'ask for progress'), 'token')
  else if (!lives) yield unmet('the first task was over when the second one was asked for', 'token')
  else yield judge('token', tokens[0] !== tokens[1], expected, frames, 'duplicate')
}

/** Every call has to come to an end, whatever becomes of its task. */
function* judgeEnds(seen: ClientRun<Played>): Generator<Yielded<keyof typeof ENDS>> {
  for (const claim of ['working', 'waiting', 'forgotten'] as const) {
    for (const name of ENDS[claim]) {
      const over = seen.notes[name] === undefined ? undefined : isOver(seen, name)
      if (over === undefined) continue
      const way = COURSES[name]?.statuses.filter((status, index, all) => status !== all[index - 1]).join(', then ')
      const expected = claim === 'forgotten' ? `an end of ${name}, which we know no more` : `an end of what is ${way}`
      const got = over ? fateOfClient(seen) : lastOf(seen, name)
      yield judge(claim, over, expected, got, { kind: 'stuck', subject: name })
    }
  }
}

function lastOf(seen: ClientRun<Played>, name: string): Got {
  const task = seen.notes[name]
  const frames = [...(task?.polls ?? []), ...(task?.fetches.map(({ frame }) => frame) ?? [])].slice(-1)
  return { text: `the call of ${name} was still going on when the time of the client was over`, frames }
}
