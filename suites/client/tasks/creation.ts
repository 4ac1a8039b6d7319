import {
  at,
  clientScenario,
  codes,
  createdId,
  failure,
  isObject,
  isTerminal,
  type Json,
  type JsonObject,
  judge,
  memberFault,
  statusIn,
  type Tamper,
  tampers,
  unmet,
} from '../../../src/suite/client.ts'
import { GIVING } from './_giving-tasks.ts'
import { receiving, WORK_MS, without } from './_received-tasks.ts'

const MEMBERS = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl']
/** The members of a result of sampling and of elicitation. */
const OPERATION = ['role', 'content', 'model', 'stopReason', 'action']

const CLAIMS = {
  shape: 'tasks.create.result-shape',
  only: 'tasks.create.no-operation-result',
  ttl: 'tasks.create.ttl-optional',
  prompt: 'tasks.create.returned-promptly',
  working: 'tasks.lifecycle.starts-working',
} as const

export default clientScenario({
  title: 'A task that the client accepts is created at once, working, and without any result yet',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    for (const { method, created, bare, soon } of seen.notes.courses) {
      if (created.kind !== 'result') {
        yield unmet(`the control, a task of ${method} with a ttl, was not accepted`)
        continue
      }
      yield judge('ttl', bare.kind === 'result', `a task of ${method} also without a ttl`, bare, { subject: method })
      for (const reply of [created, bare]) {
        if (reply.kind !== 'result') continue
        const isTask = isObject(at(reply.result, 'task'))
        const kind = memberFault(reply, 'task')
        yield judge('shape', isTask, 'a task', reply, { kind, subject: 'result.task' })
        if (!isTask) continue
        for (const member of MEMBERS) {
          const there = at(reply.result, 'task', member) !== undefined
          yield judge('shape', there, `a task with ${MEMBERS.join(', ')}`, reply, {
            kind: 'missing',
            subject: `result.task.${member}`,
          })
        }
        for (const member of OPERATION) {
          const early = at(reply.result, member) !== undefined
          yield judge('only', !early, `a task without the result of ${method}`, reply, {
            kind: 'unasked',
            subject: `result.${member}`,
          })
        }
        yield judge('working', begins(at(reply.result, 'task', 'status')), 'a task that begins as working', reply, {
          subject: method,
        })
      }
      if (soon === undefined || createdId(created) === undefined) continue
      // Done at the first look, and accepted only after all the time that the work takes.
      const waited = isTerminal(statusIn(soon)) && created.afterMs >= WORK_MS
      yield judge('prompt', !waited, 'the task before the work is done', created, { kind: 'late', subject: method })
    }
  },
  defects: [
    {
      named: 'a task without lastUpdatedAt',
      breaks: 'shape',
      kind: 'missing',
      tamper: onTask(({ lastUpdatedAt: _, ...task }) => task),
    },
    {
      named: 'the members of the task right in the result',
      breaks: 'shape',
      kind: 'missing',
      tamper: created(result => (isObject(result.task) ? result.task : result)),
    },
    {
      named: 'answers at once, as if there were no task',
      breaks: 'shape',
      kind: 'missing',
      replace: receiving({ takes: () => false }),
    },
    {
      named: 'an answer beside the task',
      breaks: 'only',
      kind: 'unasked',
      tamper: created(result => ({ ...result, content: [] })),
    },
    ...['sampling/createMessage', 'elicitation/create'].map(method => ({
      named: `${method} is refused as a task without ttl`,
      breaks: 'ttl' as const,
      kind: 'refused' as const,
      tamper: tampers.answer(method, (message, cause) =>
        at(cause, 'params', 'task') === undefined || at(cause, 'params', 'task', 'ttl') !== undefined
          ? message
          : failure(message.id, codes.invalidParams, 'task.ttl is required'),
      ),
    })),
    {
      named: 'accepts a task when its work is done',
      breaks: 'prompt',
      kind: 'late',
      replace: receiving({ acceptsAfter: 'the end' }),
    },
    {
      named: 'a new task is called pending',
      breaks: 'working',
      kind: 'wrong-value',
      tamper: onTask(task => ({ ...task, status: 'pending' })),
    },
    {
      named: 'a new task waits for input',
      breaks: 'working',
      kind: 'wrong-value',
      tamper: onTask(task => ({ ...task, status: 'input_required' })),
    },
  ],
  variants: [
    { named: 'tasks without end', replace: receiving({ ttl: () => null }) },
    {
      named: 'metadata beside the task',
      tamper: created(result => ({ ...result, _meta: { 'com.example/note': 'the model works' } })),
    },
  ],
})

/** A model that answers at once may be done by the time the task is described. */
const begins = (status: Json | undefined) =>
  status === 'working' ? 'holds' : isTerminal(String(status)) ? 'bends' : 'breaks'

function created(rewrite: (result: JsonObject) => JsonObject): Tamper {
  return tampers.message(message =>
    isObject(message.result) && isObject(message.result.task)
      ? { ...message, result: rewrite(message.result) }
      : message,
  )
}

function onTask(rewrite: (task: JsonObject) => JsonObject): Tamper {
  return created(result => ({ ...result, task: rewrite(result.task as JsonObject) }))
}
