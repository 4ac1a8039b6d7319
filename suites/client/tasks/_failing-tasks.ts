/** Our server gives tasks to a client whose user refuses: the model may not be asked, and the form is declined. */
import { type Call, createdId, type Reply, script } from '../../../src/suite/client.ts'
import { type Given, takenBy, tasksOf } from './_received-tasks.ts'

/** What became of a request, plainly and as a task; `polled`: at the end of the task. */
export interface Refusal {
  method: string
  plain: Reply
  created: Reply
  polled?: Reply
  result?: Reply
}

interface Notes extends Given {
  refusals: Refusal[]
}

export const REFUSING = script({
  drive: {
    name: 'tasks-that-fail',
    client: {
      sampling: { error: { code: -1, message: 'The user does not want that.', data: { reason: 'privacy' } } },
      elicitation: { action: 'decline' },
      tasks: true,
    },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Notes => ({ taken: [], refusals: [] }),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (notes.capabilities === undefined) await refuse(call, notes, ms => server.pause(ms))
      return { result: { tools: [] } }
    })
  },
})

async function refuse(call: Call, notes: Notes, pause: (ms: number) => Promise<void>): Promise<void> {
  notes.capabilities = call.conversation.capabilities
  notes.taken = takenBy(notes.capabilities)
  const tasks = tasksOf(call, pause)
  for (const method of notes.taken) {
    const plain = await tasks.plainly(method)
    const created = await tasks.create(method)
    const taskId = createdId(created)
    const ended =
      taskId === undefined ? {} : { polled: await tasks.untilEnd(taskId), result: await tasks.result(taskId) }
    notes.refusals.push({ method, plain, created, ...ended })
  }
}
