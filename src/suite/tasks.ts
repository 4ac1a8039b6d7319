/** Tasks for scenarios: which tools can be called as tasks, and how such a task is followed to its end. */

import type { Hello } from '../dialects/family.ts'
import type { Reply } from '../peers/reply.ts'
import type { Pending, RequestOptions, ServerPeer } from '../peers/server-peer.ts'
import type { ClientTaskRules } from '../reference/server/client-task-rules.ts'
import type { TaskRules } from '../reference/server/task-rules.ts'
import { argumentsFor } from '../spec/synthesize.ts'
import { isTerminal, RELATED_TASK } from '../spec/tasks.ts'
import { clock } from '../wire/clock.ts'
import { at, isObject, type Json, type JsonObject, textAt } from '../wire/json-rpc.ts'
import type { Yielded } from './judgement.ts'
import { listAll } from './lists.ts'

/** A cursor of characters that suffer where somebody treats it as more than a text. */
export const ODD_CURSOR = 'a=/+ \u00e9%20&"'

/** Enough for tools that ask the user or the model while their task runs; we declare no tasks of our own. */
export const TASK_HELLO: Hello = { capabilities: { elicitation: {}, sampling: {} } }

/** The wish that goes with an ordinary task of ours: longer than any scenario lasts. */
export const TTL_MS = 120_000

/** A server may suggest longer pauses; a scenario that obeyed them would see nothing in its time. */
const MAX_PAUSE_MS = 2_000
const USUAL_PAUSE_MS = 100

export interface TaskTool {
  name: string
  support: 'optional' | 'required' | 'forbidden'
  arguments: JsonObject
}

/** The tools that may be called, each with arguments that fit; fixtures first, those of tasks before the others. */
export async function toolsToCall(peer: ServerPeer): Promise<TaskTool[]> {
  if (!isObject(peer.capabilities.tools)) return []
  const { entries } = await listAll(peer, 'tools/list', 'tools')
  const tools = entries.flatMap(entry => {
    const name = textAt(entry, 'name')
    const args = argumentsFor(entry.inputSchema)
    if (name === undefined || args === undefined || !peer.mayCall(entry)) return []
    return [{ name, support: supportOf(entry), arguments: args }]
  })
  const rank = ({ name }: TaskTool): number => (name.startsWith('test_task_') ? 0 : name.startsWith('test_') ? 1 : 2)
  return tools.sort((a, b) => rank(a) - rank(b))
}

/** What a tool says about tasks; `forbidden` is the default (basic/utilities/tasks#tool-level-negotiation). */
export function supportOf(tool: Json | undefined): TaskTool['support'] {
  const named = textAt(tool, 'execution', 'taskSupport')
  return named === 'optional' || named === 'required' ? named : 'forbidden'
}

export const NO_TASK_TOOL = 'no tool that may be called says in execution.taskSupport that it can be a task'

/** A tool for a task: the named fixture where it is offered, else any that can be called as one. */
export async function taskTool(peer: ServerPeer, preferred: string): Promise<TaskTool | undefined> {
  const able = (await toolsToCall(peer)).filter(({ support }) => support !== 'forbidden')
  return able.find(({ name }) => name === preferred) ?? able[0]
}

export function callAsTask(
  peer: ServerPeer,
  tool: TaskTool,
  task: JsonObject = { ttl: TTL_MS },
  options?: RequestOptions,
): Pending {
  return peer.request('tools/call', { name: tool.name, arguments: tool.arguments, task }, options)
}

export const callPlainly = (peer: ServerPeer, tool: TaskTool, options?: RequestOptions): Pending =>
  peer.request('tools/call', { name: tool.name, arguments: tool.arguments }, options)

/** The id in a CreateTaskResult. */
export const createdId = (reply: Reply): string | undefined =>
  reply.kind === 'result' ? textAt(reply.result, 'task', 'taskId') : undefined

export const statusIn = (reply: Reply): string | undefined =>
  reply.kind === 'result' ? textAt(reply.result, 'status') : undefined

/** Polls until the status fits, the task is gone, or the time is over; the last answer. */
export async function pollUntil(
  peer: ServerPeer,
  taskId: string,
  fits: (status: string | undefined) => boolean,
  withinMs: number = peer.timeouts.replyMs,
): Promise<Reply> {
  const end = clock().now() + withinMs
  for (;;) {
    const reply = await peer.request('tasks/get', { taskId })
    if (reply.kind !== 'result' || fits(statusIn(reply))) return reply
    const suggested = at(reply.result, 'pollInterval')
    const pause = Math.min(typeof suggested === 'number' ? suggested : USUAL_PAUSE_MS, MAX_PAUSE_MS)
    if (clock().now() + pause > end) return reply
    await peer.pause(pause)
  }
}

/** Follows a task to its end: tasks/result waits meanwhile, so that a task that needs input gets it. */
export async function finish(peer: ServerPeer, taskId: string): Promise<{ polled: Reply; result: Reply }> {
  const result = peer.request('tasks/result', { taskId })
  const polled = await pollUntil(peer, taskId, isTerminal)
  return { polled, result: await result }
}

/** Does without tasks that are still at work: ends them where the server lets us. */
export async function abandon(peer: ServerPeer, ...taskIds: (string | undefined)[]): Promise<void> {
  if (at(peer.capabilities, 'tasks', 'cancel') === undefined) return
  for (const taskId of taskIds) if (taskId !== undefined) await peer.request('tasks/cancel', { taskId })
}

/**
 * A run with somebody there for what a task asks of its client: our answers are legal, have no effect, and are marked
 * as belonging to the task. Over HTTP a server may ask on the GET stream, too, and tells there what is new about a task.
 */
export const attended = <C extends string>(run: (peer: ServerPeer) => AsyncIterable<Yielded<C>>) =>
  async function* (peer: ServerPeer): AsyncGenerator<Yielded<C>> {
    peer.on('elicitation/create', message => ({ result: { action: 'decline', ...relatedTo(message) } }))
    const stream = peer.via === 'http' ? await peer.listen({ withinMs: peer.timeouts.watchMs }) : undefined
    try {
      yield* run(peer)
    } finally {
      stream?.close()
    }
  }

/** The members that an answer to a message of a task needs (basic/utilities/tasks#related-task-metadata). */
export function relatedTo(message: JsonObject): JsonObject {
  const related = at(message, 'params', '_meta', RELATED_TASK)
  return related === undefined ? {} : { _meta: { [RELATED_TASK]: related } }
}

/** For defects and variants: the reference with other rules for its tasks, or for the tasks that it gives to clients. */
export const withTasks = (changes: Partial<TaskRules>): { tasks: Partial<TaskRules> } => ({ tasks: changes })

export const withClientTasks = (changes: Partial<ClientTaskRules>): { clientTasks: Partial<ClientTaskRules> } => ({
  clientTasks: changes,
})

/** The reference with tools and this capability for tasks, and nothing else. */
export const declaring = (tasks: JsonObject | undefined): { capabilities: JsonObject } => ({
  capabilities: { tools: {}, ...(tasks === undefined ? {} : { tasks }) },
})
