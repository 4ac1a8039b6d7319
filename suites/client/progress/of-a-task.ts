import {
  clientScenario,
  isObject,
  type Json,
  type JsonObject,
  judge,
  notification,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { LAST_ID, SAMPLING_TASK, TASK_TOKEN } from './_sampling-progress.ts'

/** After that time no POST is still on its way. */
const RACE_MS = 200
const LATE_MS = 1_000

export default clientScenario({
  title: 'Progress of a task of the client keeps the token of its request, and ends with the task',
  needs: { since: '2025-11-25' },
  script: SAMPLING_TASK,
  claims: {
    stays: 'progress.task.token-stays-valid',
    same: 'progress.task.same-token',
    ends: 'progress.task.stop-at-terminal',
  },
  *run(seen) {
    const { created, taskId, over } = seen.notes
    const accepted = created?.frames.at(-1)
    if (accepted === undefined || taskId === undefined) {
      yield unmet(undone(seen, 'take our question as a task'))
      return
    }
    const later = sent(seen, 'notifications/progress').filter(({ frame }) => frame.at >= accepted.at)
    if (later.length === 0) {
      yield unmet('the client tells no progress of its task')
      return
    }
    const frames = later.map(({ frame }) => frame)
    const kept = later.filter(({ params }) => params.progressToken === TASK_TOKEN)
    yield judge(
      'stays',
      kept.length > 0,
      'progress with the token of the request after CreateTaskResult',
      frames,
      'lost',
    )
    yield judge('same', kept.length === later.length, `no other token than ${TASK_TOKEN}`, frames)
    const end = over?.frames.at(-1)
    if (end === undefined) {
      yield unmet('the task did not end in time', 'ends')
      return
    }
    const behind = frames.filter(({ seq, at }) => (seen.via === 'http' ? at > end.at + RACE_MS : seq > end.seq))
    const outcome = behind.length === 0 ? 'holds' : behind.some(({ at }) => at > end.at + LATE_MS) ? 'breaks' : 'bends'
    yield judge('ends', outcome, 'no progress after a terminal status was told', behind, 'late')
  },
  defects: [
    {
      named: 'forgets the token when the task is accepted',
      breaks: 'stays',
      kind: 'lost',
      also: ['same'],
      tamper: retoken(() => 'a token of the client'),
    },
    {
      named: 'goes over to a token of its own half-way',
      breaks: 'same',
      kind: 'wrong-value',
      tamper: retoken(({ progress }) => (Number(progress) > 2 ? 'a token of the client' : TASK_TOKEN)),
    },
    {
      named: 'reports on behind the end of the task',
      breaks: 'ends',
      kind: 'late',
      verdict: 'warn',
      tamper: tampers.message((message, cause) =>
        cause?.id === LAST_ID
          ? [notification('notifications/progress', { progressToken: TASK_TOKEN, progress: 100 }), message]
          : message,
      ),
    },
  ],
  variants: [{ named: 'tells nothing', replace: { reports: () => [] } }],
})

function retoken(rename: (params: JsonObject) => Json) {
  return tampers.message(message =>
    message.method === 'notifications/progress' && isObject(message.params)
      ? { ...message, params: { ...message.params, progressToken: rename(message.params) } }
      : message,
  )
}
