import {
  inapplicable,
  isObject,
  isTerminal,
  judge,
  monitor,
  type Tamper,
  tampers,
  textAt,
  withTasks,
} from '../../src/suite/monitor.ts'
import { receiving } from '../client/tasks/_received-tasks.ts'
import { followTasks, lacksTasks } from './_task-log.ts'

interface Known {
  status: string
  updated: number
  /** the frame that told the status first */
  since: number
}

const NONE = { text: 'the capability tasks is not declared', frames: [] }

interface State {
  follow: ReturnType<typeof followTasks>
  tasks: Map<string, Known>
}

/**
 * How a task goes from status to status (basic/utilities/tasks#task-status-lifecycle). We see samples only, so that all
 * that can be impossible is a way out of an end.
 */
export default monitor({
  title: 'The status of a task changes only as it may, and a task that has ended stays as it is',
  sides: ['server', 'client'],
  needs: { since: '2025-11-25' },
  claims: {
    ways: 'tasks.lifecycle.valid-transitions',
    final: 'tasks.lifecycle.terminal-is-final',
    updated: 'tasks.fields.last-updated-at',
  },
  start: ({ via }): State => ({ follow: followTasks(via), tasks: new Map() }),
  *see(state, frame) {
    if (lacksTasks(frame)) yield* inapplicable(['ways', 'final', 'updated'], 'the capability tasks', NONE)
    for (const { task, from } of state.follow(frame)) {
      const id = textAt(task, 'taskId')
      const status = textAt(task, 'status')
      if (id === undefined || status === undefined) continue
      const known = state.tasks.get(id)
      // What was asked for before a status was seen may tell an earlier one.
      if (known !== undefined && from <= known.since) continue
      const updated = Date.parse(textAt(task, 'lastUpdatedAt') ?? '')
      if (known !== undefined) {
        const way = known.status === status ? `still ${status}` : `${known.status}, then ${status}`
        const got = { text: `the status ${way}`, frames: [frame] }
        const stays = known.status === status
        const fault = { kind: 'wrong-order', subject: `${known.status}, then ${status}` } as const
        if (isTerminal(known.status)) yield judge('final', stays, `${known.status}, which is final`, got, fault)
        if (!stays)
          yield judge('ways', !isTerminal(known.status), `a way that leads on from ${known.status}`, got, fault)
        const times = { text: `lastUpdatedAt ${textAt(task, 'lastUpdatedAt') ?? 'missing'}`, frames: [frame] }
        yield judge('updated', !(updated < known.updated), 'a lastUpdatedAt that is not before an earlier one', times)
      }
      if (known?.status !== status) state.tasks.set(id, { status, updated, since: frame.seq })
    }
  },
  defects: [
    ...['server', 'client'].map(side => ({
      named: 'a cancelled task works again',
      on: `${side}/tasks/cancellation`,
      breaks: 'final' as const,
      kind: 'wrong-order' as const,
      also: ['ways' as const],
      tamper: againWorking(),
    })),
    {
      named: 'a cancelled task is completed in the end',
      on: 'server/tasks/cancellation',
      breaks: 'ways',
      kind: 'wrong-order',
      also: ['final'],
      replace: withTasks({
        stops: false,
        mayMove: (from, to) => from !== 'completed' && (from !== 'cancelled' || to === 'completed'),
      }),
    },
    {
      named: 'a cancelled task of the client is completed in the end',
      on: 'client/tasks/cancellation',
      breaks: 'ways',
      kind: 'wrong-order',
      also: ['final'],
      replace: receiving({ mayMove: (from, to) => from === 'working' || (from === 'cancelled' && to === 'completed') }),
    },
    ...['server', 'client'].map(side => ({
      named: 'the last update is the creation again when the task has ended',
      on: `${side}/tasks/results`,
      breaks: 'updated' as const,
      kind: 'wrong-value' as const,
      tamper: tampers.result('tasks/get', task =>
        isTerminal(String(task.status)) ? { ...task, lastUpdatedAt: '2020-01-01T00:00:00Z' } : task,
      ),
    })),
  ],
  variants: [
    ...['server', 'client'].map(side => ({
      named: 'tasks of the reference',
      on: `${side}/tasks/cancellation`,
      shows: ['ways' as const, 'final' as const, 'updated' as const],
      replace: {},
    })),
    { named: 'a task that asks', on: 'server/tasks/input', shows: ['ways', 'updated'], replace: {} },
  ],
})

/** From the first end on, every poll tells that the task works. */
function againWorking(): Tamper {
  // By the transport: proofs over both of them run side by side.
  const ended = new Set<string>()
  return tampers.message((message, cause, on) => {
    if ((cause ?? message).method === 'initialize') ended.delete(on)
    if (cause?.method !== 'tasks/get' || !isObject(message.result)) return message
    if (ended.has(on)) return { ...message, result: { ...message.result, status: 'working' } }
    if (isTerminal(String(message.result.status))) ended.add(on)
    return message
  })
}
