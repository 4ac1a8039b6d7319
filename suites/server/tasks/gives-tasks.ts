import {
  at,
  judge,
  ODD_CURSOR,
  type Reply,
  type ServerPeer,
  serverScenario,
  stuckBy,
  unmet,
  withClientTasks,
} from '../../../src/suite/server.ts'
import { ANSWER, type Played, play, type Script } from './_client-tasks.ts'

const FIXTURE = 'test_sampling_as_task'
/** Long enough for a pause to be seen on a loaded machine. */
const INTERVAL_MS = 150
const POLLS = 5
/** Clocks and loads differ: a poll is early where a good part of the interval is missing, twice. */
const EARLY = 0.8

const SAMPLING = { sampling: {} }

export default serverScenario({
  title: 'A server that gives a task to its client polls it as suggested, until it ends, and copes with every end',
  needs: { capability: 'tools', fixture: { tool: FIXTURE }, since: '2025-11-25' },
  session: 'fresh',
  hello: {
    capabilities: {
      ...SAMPLING,
      tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
    },
  },
  claims: {
    polls: 'tasks.get.polls-until-terminal',
    interval: 'tasks.get.respects-poll-interval',
    alone: 'tasks.status.requestor-not-reliant',
    keeps: 'tasks.status.requestor-keeps-polling',
    fetches: 'tasks.input.requestor-calls-result',
    beside: 'tasks.get.polls-beside-result',
    working: 'tasks.lifecycle.from-working',
    waiting: 'tasks.lifecycle.from-input-required',
    forgotten: 'tasks.cancel.requestor-not-reliant',
    cursor: 'tasks.list.cursor-opaque',
  },
  async *run(peer) {
    const plain = await run(peer, {
      statuses: [...Array(POLLS - 1).fill('working'), 'completed'],
      intervalMs: INTERVAL_MS,
    })
    if (!plain.asTask) {
      yield unmet(`${FIXTURE} did not ask for a task, although this client takes them`)
      return
    }
    const { polls, fetches, reply } = plain
    const waited = fetches.some(({ status }) => status === 'working')
    yield judge(
      'polls',
      polls.length >= POLLS || waited,
      'polls until the task has ended, or a tasks/result that waits',
      reply,
      'missing',
    )
    yield judge('alone', isWell(reply), 'the end of the call without any notification', reply)
    const gaps = polls.slice(1).map((poll, index) => poll.at - (polls[index]?.at ?? 0))
    const early = gaps.filter(gap => gap < INTERVAL_MS * EARLY)
    yield judge(
      'interval',
      early.length < 2,
      `pauses of ${INTERVAL_MS} ms, the pollInterval`,
      {
        text: `pauses of ${gaps.map(Math.round).join(', ')} ms`,
        frames: polls,
      },
      'ignored',
    )
    const [, second] = plain.lists
    if (second === undefined) yield judge('cursor', 'n/a', 'a server that lists the tasks of its client', reply)
    else yield judge('cursor', at(second.json, 'params', 'cursor') === ODD_CURSOR, `the cursor ${ODD_CURSOR}`, second)
    // Every other script would fail in the same way.
    if (!isWell(reply)) return

    const told = await run(peer, { statuses: ['working', 'working', 'completed'], notifies: true })
    const goesOn = told.polls.length > 1 || told.fetches.length > 0
    yield judge('keeps', goesOn, 'polls that go on after a status notification', told.reply, 'missing')

    const asked = await run(peer, { statuses: ['input_required', 'working', 'completed'], refusesResult: true })
    // Who waits in tasks/result already is there when the input is asked for.
    const fetched = asked.fetches.some(({ status }) => status !== 'completed')
    yield judge('fetches', fetched, 'tasks/result when the status is input_required', asked.reply, 'missing')
    if (asked.refused) {
      const later = asked.polls.length > 1 || asked.fetches.length > 1
      yield judge('beside', later, 'polls that go on after tasks/result brought an error', asked.reply, 'missing')
    }

    for (const [claim, from] of [
      ['working', 'working'],
      ['waiting', 'input_required'],
    ] as const) {
      for (const to of ENDS[claim]) {
        const { reply: end } = await run(peer, { statuses: to === 'working' ? [from, to, 'completed'] : [from, to] })
        yield judge(claim, isOver(end), `an end of the call when the task goes from ${from} to ${to}`, end, {
          subject: `from ${from} to ${to}`,
        })
        if (!isOver(end)) break
      }
    }
    const lost = await run(peer, { statuses: ['working'], forgets: true })
    const after = await peer.settle()
    yield judge('forgotten', isOver(lost.reply), 'an end of the call whose task the client has forgotten', lost.reply)
    yield judge('forgotten', after.alive, 'an answer to ping after that', after)
  },
  defects: [
    {
      named: 'gives up while the task works',
      breaks: 'polls',
      kind: 'missing',
      also: ['alone'],
      replace: withClientTasks({ onStatus: () => 'give up' }),
    },
    {
      named: 'polls without a pause',
      breaks: 'interval',
      kind: 'ignored',
      replace: withClientTasks({ pauseMs: () => 1 }),
    },
    {
      named: 'waits for a notification that nobody has to send',
      breaks: 'alone',
      kind: 'silent',
      also: ['polls'],
      replace: withClientTasks({ polls: () => false }),
    },
    { named: 'relies on notifications once there was one', breaks: 'keeps', kind: 'silent', replace: trusting },
    {
      named: 'leaves a task alone that needs input',
      breaks: 'fetches',
      kind: 'missing',
      replace: withClientTasks({
        onStatus: status => (status === 'working' || status === 'input_required' ? 'poll' : 'fetch'),
      }),
    },
    {
      named: 'gives up after an error of tasks/result',
      breaks: 'beside',
      kind: 'missing',
      via: 'http',
      replace: withClientTasks({ afterRefusal: 'give up' }),
    },
    {
      named: 'waits for completed only',
      breaks: 'working',
      kind: 'silent',
      also: ['waiting'],
      replace: withClientTasks({
        onStatus: status => (status === 'completed' || status === 'input_required' ? 'fetch' : 'poll'),
      }),
    },
    {
      named: 'never comes back from input_required',
      breaks: 'waiting',
      kind: 'silent',
      also: ['fetches', 'beside'],
      replace: withClientTasks({
        onStatus: status => (status === 'input_required' ? 'hang' : status === 'working' ? 'poll' : 'fetch'),
      }),
    },
    {
      named: 'hangs when a task is not found',
      breaks: 'forgotten',
      kind: 'silent',
      replace: withClientTasks({ whenForgotten: 'hang' }),
    },
    {
      named: 'answers nothing after a task was not found',
      breaks: 'forgotten',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('Task not found')),
    },
    {
      named: 'encodes the cursor',
      breaks: 'cursor',
      kind: 'wrong-value',
      replace: withClientTasks({ cursor: encodeURIComponent }),
    },
  ],
  variants: [
    { named: 'waits in tasks/result from the start', replace: withClientTasks({ onStatus: () => 'fetch' }) },
    { named: 'asks plainly', replace: withClientTasks({ declared: () => false }) },
  ],
})

const ENDS = {
  working: ['completed', 'failed', 'cancelled'],
  waiting: ['working', 'completed', 'failed', 'cancelled'],
} as const

const run = async (peer: ServerPeer, script: Script): Promise<Played & { reply: Reply }> => {
  const played = play(peer, script)
  const reply = await peer.request('tools/call', { name: FIXTURE, arguments: {} })
  return { ...played, reply }
}

/** The tool has got what it asked for. */
const isWell = (reply: Reply): boolean => reply.kind === 'result' && JSON.stringify(reply.result).includes(ANSWER)

const isOver = (reply: Reply): boolean => reply.kind === 'result' || reply.kind === 'error'

function trusting() {
  let told = false
  return {
    onNotification: ({ method }: { method?: unknown }) => {
      told ||= method === 'notifications/tasks/status'
      return undefined
    },
    ...withClientTasks({
      declared: () => {
        told = false
        return true
      },
      polls: () => !told,
    }),
  }
}
