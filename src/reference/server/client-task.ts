/** The reference server as requestor: it asks the client for something as a task, and polls it (basic/utilities/tasks). */
import { at, codes, failure, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Tools } from './tools.ts'

const TTL_MS = 60_000
const MAX_PAGES = 20

const never = (): Promise<JsonObject> => new Promise(() => {})

/** Asks the client; resolves with the response that the request would have had if it had been a plain one. */
export async function askAsTask(tools: Tools, method: string, params: JsonObject): Promise<JsonObject> {
  const rules = tools.policies.clientTasks
  if (!rules.declared(method, tools.session.clientCapabilities)) return tools.ask(method, params)
  const created = await tools.ask(method, { ...params, task: { ttl: TTL_MS } })
  const taskId = textAt(created, 'result', 'task', 'taskId')
  if (taskId === undefined) return created
  let task = at(created, 'result', 'task')
  for (let round = 1; ; round += 1) {
    const step = rules.onStatus(textAt(task, 'status'))
    if (step === 'hang') return never()
    if (step === 'give up') return failure(undefined, codes.internalError, 'the task came to nothing')
    if (step === 'fetch') {
      const fetched = await tools.ask('tasks/result', { taskId })
      const isOver = textAt(task, 'status') !== 'input_required'
      if (isOver || fetched.error === undefined || rules.afterRefusal === 'give up') return fetched
    }
    await tools.policies.sleep(rules.pauseMs(at(task, 'pollInterval')))
    if (!rules.polls(round)) return never()
    const polled = await tools.ask('tasks/get', { taskId })
    if (polled.error !== undefined) return rules.whenForgotten === 'give up' ? polled : never()
    task = polled.result
  }
}

/** The tasks that the client lists, page by page, where it lists any. */
export async function listClientTasks(tools: Tools): Promise<void> {
  if (at(tools.session.clientCapabilities, 'tasks', 'list') === undefined) return
  let cursor: string | undefined
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const given: string | undefined = cursor
    const reply: JsonObject = await tools.ask('tasks/list', {
      ...(given === undefined ? {} : { cursor: tools.policies.clientTasks.cursor(given) }),
    })
    cursor = textAt(reply, 'result', 'nextCursor')
    if (cursor === undefined) return
  }
}
