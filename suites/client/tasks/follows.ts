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
} from '../../../src/suite/client.ts'
import { calling, isOver, type Played, trusting } from './_called-tasks.ts'
import { COURSES, FOLLOWING, INTERVAL_MS, POLLS } from './_following-tasks.ts'

/** Clocks and loads differ: a poll is early where a good part of the interval is missing, twice. */
const EARLY = 0.8

const ENDS = {
  working: ['task_completed', 'task_failed', 'task_cancelled'],
  waiting: ['task_asks', 'task_asks_completed', 'task_asks_failed', 'task_asks_cancelled'],
  forgotten: ['task_forgotten', 'task_given_up'],
} as const

export default clientScenario({
  title: 'A client that calls a tool as a task polls it as suggested, until it ends, and copes with every end',
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
    const { polls, fetches, call } = plain
    const got: Got = fetches[0]?.frame ?? polls.at(-1) ?? call.frame
    const waited = fetches.some(({ status }) => status === 'working')
    yield judge('polls', polls.length >= POLLS || waited, 'polls until the end, or a tasks/result that waits', got)
    yield judge('alone', fetches.length > 0, 'the result of the task, though nothing is notified', got)
    const gaps = polls.slice(1).map((poll, index) => poll.at - (polls[index]?.at ?? 0))
    const early = gaps.filter(gap => gap < INTERVAL_MS * EARLY)
    yield judge('interval', early.length < 2, `pauses of ${INTERVAL_MS} ms, the pollInterval`, {
      text: `pauses of ${gaps.map(Math.round).join(', ')} ms`,
      frames: polls,
    })
    if (told !== undefined) {
      const goesOn = told.polls.length > 1 || told.fetches.length > 0
      yield judge('keeps', goesOn, 'polls that go on after a status notification', told.polls)
      const tokens = [plain, told].map(({ call }) => at(call.params, '_meta', 'progressToken'))
      const frames = [plain.call.frame, told.call.frame]
      const lives = [...polls, ...fetches.map(({ frame }) => frame)].some(({ seq }) => seq > told.call.frame.seq)
      if (tokens.includes(undefined)) yield unmet(undone(seen, 'ask for progress'), 'token')
      else if (!lives) yield unmet('the first task was over when the second one was asked for', 'token')
      else yield judge('token', tokens[0] !== tokens[1], 'a token of its own for each task that goes on', frames)
    }
    // Who waits in tasks/result already is there when the input is asked for.
    if (asks !== undefined) {
      const fetched = asks.fetches.some(({ status }) => status !== 'completed')
      yield judge('fetches', fetched, 'tasks/result when the status is input_required', asks.polls)
    }
    for (const claim of ['working', 'waiting', 'forgotten'] as const) {
      for (const name of ENDS[claim]) {
        const over = seen.notes[name] === undefined ? undefined : isOver(seen, name)
        if (over === undefined) continue
        const way = COURSES[name]?.statuses.filter((status, index, all) => status !== all[index - 1]).join(', then ')
        const expected = claim === 'forgotten' ? `an end of ${name}, which we know no more` : `an end of what is ${way}`
        yield judge(claim, over, expected, over ? fateOfClient(seen) : lastOf(seen, name))
      }
    }
  },
  defects: [
    {
      named: 'gives up while the task works',
      breaks: 'polls',
      also: ['alone', 'fetches', 'keeps'],
      replace: calling({ onStatus: () => 'give up' }),
    },
    { named: 'polls without a pause', breaks: 'interval', replace: calling({ pauseMs: () => 5 }) },
    {
      named: 'waits for a notification that nobody has to send',
      breaks: 'alone',
      also: ['polls', 'working', 'waiting', 'forgotten', 'keeps', 'fetches'],
      replace: calling({ polls: () => false }),
    },
    { named: 'relies on notifications once there was one', breaks: 'keeps', replace: trusting },
    {
      named: 'leaves a task alone that needs input',
      breaks: 'fetches',
      replace: calling({
        onStatus: status => (status === 'working' || status === 'input_required' ? 'poll' : 'fetch'),
      }),
    },
    {
      named: 'waits for completed only',
      breaks: 'working',
      also: ['waiting'],
      replace: calling({
        onStatus: status => (status === 'completed' || status === 'input_required' ? 'fetch' : 'poll'),
      }),
    },
    {
      named: 'never comes back from input_required',
      breaks: 'waiting',
      also: ['fetches'],
      replace: calling({
        onStatus: status => (status === 'input_required' ? 'hang' : status === 'working' ? 'poll' : 'fetch'),
      }),
    },
    { named: 'hangs when a task is not found', breaks: 'forgotten', replace: calling({ whenForgotten: 'hang' }) },
    {
      named: 'encodes the cursor',
      breaks: 'cursor',
      replace: client => ({ pages: { ...client.pages, cursor: given => encodeURIComponent(given) } }),
    },
    { named: 'one token for everything', breaks: 'token', replace: { progressToken: () => 'progress' } },
  ],
  variants: [{ named: 'waits in tasks/result from the start', replace: calling({ onStatus: () => 'fetch' }) }],
})

function lastOf(seen: ClientRun<Played>, name: string): Got {
  const task = seen.notes[name]
  const frames = [...(task?.polls ?? []), ...(task?.fetches.map(({ frame }) => frame) ?? [])].slice(-1)
  return { text: `the call of ${name} was still going on when the time of the client was over`, frames }
}
