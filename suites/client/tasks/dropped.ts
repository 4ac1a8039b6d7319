import { clientScenario, judge, script, undone, unmet } from '../../../src/suite/client.ts'
import { type Course, calling, callOf, type Played, playTasks, TASKS, toolNamed } from './_called-tasks.ts'

const TOOL = 'task_dropped'
/** A client that waits on a broken stream has this time to notice. */
const LIMIT_MS = 4_000

/** The stream of the first tasks/result breaks off, and takes nothing along that could be resumed. */
const COURSES: Record<string, Course> = {
  [TOOL]: {
    statuses: ['input_required', 'working', 'working', 'completed'],
    intervalMs: 60,
    async onResult(call) {
      // The client has to have the head of the stream: else its request has failed as a whole.
      await call.stream()?.event({ comment: 'waiting for the end of the task' })
      call.stream()?.cut()
      return 'silence'
    },
  },
}

const DROPPING = script({
  drive: {
    name: 'tasks-result-dropped',
    client: { tasks: true },
    steps: [{ request: 'tools/list' }, callOf(TOOL, { timeoutMs: LIMIT_MS })],
  },
  setup: () => ({ capabilities: { tools: {}, tasks: TASKS }, tools: [toolNamed(TOOL, 'optional')] }),
  notes: (): Played => ({}),
  play: (server, played) => playTasks(server, COURSES, played),
})

export default clientScenario({
  title: 'The client asks for its task again when the connection of tasks/result breaks',
  needs: { via: 'http', since: '2025-11-25' },
  script: DROPPING,
  claims: { beside: 'tasks.get.polls-beside-result' },
  *run(seen) {
    const task = seen.notes[TOOL]
    const [first, second] = task?.fetches ?? []
    if (task === undefined || first === undefined) {
      yield unmet(undone(seen, task === undefined ? 'call a tool as a task' : 'ask for the result of its task'))
      return
    }
    const later = second?.frame ?? task.polls.find(({ seq }) => seq > first.frame.seq)
    const nothing = { text: 'nothing about the task after that', frames: [first.frame] }
    yield judge('beside', later !== undefined, 'tasks/get or tasks/result once more', later ?? nothing, 'missing')
  },
  defects: [
    {
      named: 'gives up when tasks/result has failed',
      breaks: 'beside',
      kind: 'missing',
      replace: calling({ afterRefusal: 'give up' }),
    },
  ],
})
