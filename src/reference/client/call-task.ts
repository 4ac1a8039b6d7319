/** A call of a tool that becomes a task of the server: polled, fetched, cancelled (basic/utilities/tasks). */
import { at, isObject, type Json, type JsonObject, notification, textAt } from '../../wire/json-rpc.ts'
import type { Client } from './client.ts'
import { failed, type Reply } from './reply.ts'
import { createTaskProblem } from './results.ts'

export interface TaskCall {
  params: JsonObject
  task: JsonObject
  /** the limits of the user, for all of it */
  timeoutMs: number
  cancelAfterMs: number | undefined
  progress: boolean
}

/** Resolves with the answer that the call would have had if it had been a plain one. */
export async function callAsTask(client: Client, call: TaskCall): Promise<Reply> {
  const { policies, clock } = client
  const rules = policies.taskCalls
  const began = clock.now()
  const left = (): number => Math.max(0, call.timeoutMs - (clock.now() - began))
  const asked = client.request('tools/call', rules.params(call.params, call.task), {
    timeoutMs: call.timeoutMs,
    progress: call.progress,
  })
  const requestId = client.lastId
  const created = await asked
  if (created.kind !== 'result') return created
  const taskId = textAt(created.result, 'task', 'taskId')
  // A server may answer at once, against the rules: what it says is no task.
  const problem = createTaskProblem('tools/call', created.result, client.session.version)
  if (taskId === undefined || problem !== undefined)
    return failed('invalid', `the task that was accepted cannot be used: ${problem ?? 'it has no id'}`)

  let isOver = false
  const outcome = follow(client, taskId, at(created.result, 'task'), () => isOver).then(reply => {
    isOver = true
    return reply
  })
  const giveUp = async (reply: Reply): Promise<Reply> => {
    isOver = true
    if (rules.cancelsBy === 'notifications/cancelled')
      await client.send(notification('notifications/cancelled', { requestId, reason: 'given up' }))
    else if (isObject(at(client.session.serverCapabilities, 'tasks', 'cancel')))
      await client.request('tasks/cancel', rules.target(taskId))
    return reply
  }
  const limits: Promise<Reply | 'late'>[] = [outcome, clock.sleep(left()).then(() => 'late' as const)]
  if (call.cancelAfterMs !== undefined)
    limits.push(clock.sleep(Math.max(0, call.cancelAfterMs - (call.timeoutMs - left()))).then(() => 'late' as const))
  const first = await Promise.race(limits)
  if (first !== 'late') return first
  return giveUp(
    left() > 0 ? failed('cancelled', 'the user cancelled the task') : failed('timeout', 'the task took too long'),
  )
}

async function follow(
  client: Client,
  taskId: string,
  accepted: Json | undefined,
  isOver: () => boolean,
): Promise<Reply> {
  const { policies, clock } = client
  const rules = policies.taskCalls
  const target = rules.target(taskId)
  let task = accepted
  for (let round = 1; !isOver(); round += 1) {
    const status = textAt(task, 'status')
    const step = rules.onStatus(status)
    if (step === 'hang') return never()
    if (step === 'give up') return failed('cancelled', 'the task came to nothing')
    if (step === 'fetch') {
      const fetched = await client.request('tasks/result', target)
      const isFinal = status !== 'input_required' && !(fetched.kind === 'failed' && fetched.why === 'lost')
      if (isFinal || fetched.kind === 'result' || rules.afterRefusal === 'give up') return fetched
    }
    await clock.sleep(rules.pauseMs(at(task, 'pollInterval')))
    if (isOver()) break
    if (!rules.polls(round, taskId)) return never()
    const polled = await client.request('tasks/get', target)
    if (polled.kind !== 'result') return rules.whenForgotten === 'give up' ? polled : never()
    task = polled.result
  }
  return failed('cancelled', 'the task was given up')
}

const never = (): Promise<Reply> => new Promise(() => {})
