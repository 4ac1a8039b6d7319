/** Tasks of the reference server: requests that are accepted now and answered later (basic/utilities/tasks). */
import { serveTasks, type TaskOperation } from '../../peers/server/tasks.ts'
import type { Task } from '../../spec/task-machine.ts'
import { takesAsTask, withRelatedTask } from '../../spec/tasks.ts'
import { at, codes, isObject, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { type Answer, isFault } from './answer.ts'
import type { Asked } from './task-store.ts'
import type { Feature, Tools } from './tools.ts'

const refused = (code: number, message: string): Answer => ({ error: { code, message } })

const requestorOf = ({ session }: Tools): string => session.user ?? session.id

/** Whether the capability for tools that are called as tasks is declared; without it the member `task` means nothing. */
const takesCalls = ({ capabilities }: Tools): boolean => takesAsTask(capabilities, 'tools/call')

/** A call of a tool, plain or as a task, as the tool and the capability allow it. */
export const callable =
  (call: Feature, find: (params: JsonObject, tools: Tools) => JsonObject | undefined): Feature =>
  (params, tools) => {
    const definition = find(params, tools)
    if (definition === undefined || !takesCalls(tools)) return call(params, tools)
    const support = tools.policies.tasks.support(definition)
    const asTask = isObject(params.task)
    if (asTask === (support === 'required') || support === 'optional')
      return asTask ? accept(params, tools, call) : call(params, tools)
    if (!asTask && support === 'forbidden') return call(params, tools)
    return refused(
      codes.methodNotFound,
      asTask ? 'This tool cannot be called as a task' : 'This tool must be called as a task',
    )
  }

async function accept(params: JsonObject, tools: Tools, call: Feature): Promise<Answer> {
  const rules = tools.policies.tasks
  const { machine, stopped } = tools.tasks
  const task = machine.add({
    id: rules.id(params),
    owner: requestorOf(tools),
    ttl: rules.ttl(at(params, 'task', 'ttl')),
    message: 'The call was accepted.',
    announce: tools.announce,
  })
  const accepted = { task: machine.describe(task) }
  const inside: Tools = {
    ...tools,
    ask: (method, more) => askForTask(task, tools, method, more),
    notify: (method, more) => tools.announce(method, withRelatedTask(task.id, more)),
    closeConnection: () => {},
    cancelled: () => stopped.has(task),
  }
  // The answer goes out before anything that the work says.
  const work = new Promise<void>(resolve => {
    setImmediate(() => void run(task, tools, () => call(params, inside)).then(resolve))
  })
  if (rules.acceptsAfter === 'the end') await work
  return accepted
}

async function run(
  task: Task<Answer>,
  { tasks, policies }: Tools,
  work: () => Answer | Promise<Answer>,
): Promise<void> {
  let outcome: Answer
  try {
    outcome = await work()
  } catch {
    outcome = refused(codes.internalError, 'Internal error')
  }
  tasks.machine.end(task, policies.tasks.ended(outcome), outcome, explain(outcome))
  tasks.machine.wake(task)
}

const explain = (outcome: Answer): string =>
  textAt(outcome, 'error', 'message') ?? textAt(outcome, 'content', 0, 'text') ?? 'The call has ended.'

async function askForTask(
  task: Task<Answer>,
  { tasks: { machine, inboxes }, policies: { tasks: rules } }: Tools,
  method: string,
  params?: JsonObject,
): Promise<JsonObject> {
  machine.move(task, rules.whileAsking, 'The client is asked for input.')
  const reply = await new Promise<JsonObject>(resolve => {
    const asked: Asked = { method, params: withRelatedTask(task.id, params), resolve }
    inboxes.set(task, [...(inboxes.get(task) ?? []), asked])
    machine.wake(task)
  })
  machine.move(task, rules.afterInput, 'The input has arrived.')
  return reply
}

const CANCELLED: JsonObject = { content: [{ type: 'text', text: 'The call was cancelled.' }], isError: true }

const serve =
  (operation: TaskOperation): Feature =>
  async (params, tools) => {
    const { machine, inboxes, stopped } = tools.tasks
    const rules = tools.policies.tasks
    const answer = await serveTasks(operation, params, {
      machine,
      rules,
      requestor: requestorOf(tools),
      outcomeOf({ id, outcome = CANCELLED }) {
        return isFault(outcome) ? { error: outcome.error } : { result: withRelatedTask(id, outcome) }
      },
      onWait(task) {
        const inbox = inboxes.get(task) ?? []
        inboxes.delete(task)
        for (const { method, params: more, resolve } of inbox) void tools.ask(method, more).then(resolve)
      },
      onCancelled(task) {
        if (rules.stops) stopped.add(task)
      },
    })
    return 'error' in answer ? { error: answer.error } : answer.result
  }

/** A tool as it is listed: what it says about tasks is of use only where the server has them. */
export function asListed(definition: JsonObject, tools: Tools): JsonObject {
  if (takesCalls(tools)) return definition
  const { execution: _, ...rest } = definition
  return rest
}

export const taskFeatures: Record<string, { capability: string; run: Feature }> = {
  'tasks/get': { capability: 'tasks', run: serve('get') },
  'tasks/result': { capability: 'tasks', run: serve('result') },
  'tasks/list': { capability: 'tasks.list', run: serve('list') },
  'tasks/cancel': { capability: 'tasks.cancel', run: serve('cancel') },
}
