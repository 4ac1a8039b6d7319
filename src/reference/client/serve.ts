/** What the client says to each request of the server that it serves. */
import { codes, isObject, type JsonObject, notification } from '../../wire/json-rpc.ts'
import type { AnswerContext, Asking } from './answer-context.ts'
import { decisionOn } from './decision.ts'
import { type Answer, refusal } from './reply.ts'

export async function serve(
  context: AnswerContext,
  session: Asking,
  message: JsonObject,
  isOver: () => boolean,
): Promise<Answer> {
  const { policies, settings } = context
  const method = String(message.method)
  if (Object.hasOwn(message, 'params') && !isObject(message.params))
    return refusal(codes.invalidParams, 'params must be an object')
  const params = isObject(message.params) ? message.params : {}
  if (method === 'ping') return { result: policies.onPing(message) }
  const problem = policies.requestProblem(message, session.agreement.version)
  const isOfTask = method.startsWith('tasks/')
  if (!isOfTask && method !== 'roots/list') return decide(context, session, { message, params, problem, isOver })
  if (problem !== undefined) return refusal(codes.invalidParams, problem)
  if (isOfTask) return context.tasks.serve(method, params, requestorOf(context, session))
  return { result: { roots: policies.roots.told(settings.roots ?? []) } }
}

const requestorOf = ({ owner }: AnswerContext, { send }: Asking) => ({
  owner,
  announce: (method: string, params: JsonObject) => void send(notification(method, params)),
})

interface Question {
  message: JsonObject
  params: JsonObject
  /** what is wrong with the request */
  problem: string | undefined
  isOver(): boolean
}

/** The model or the user decides, at once or in a task. */
async function decide(
  context: AnswerContext,
  session: Asking,
  { message, params, problem, isOver }: Question,
): Promise<Answer> {
  const { tasks: rules } = context.policies
  const { agreement } = session
  const method = String(message.method)
  const decision = decisionOn(context, agreement, method, params, problem)
  if (decision === undefined) return refusal(codes.methodNotFound, 'Method not found')
  if (problem === undefined && rules.takes(method, params, agreement.declared)) {
    return context.tasks.take(params, requestorOf(context, session), async (isEnded, meta) => {
      const ms = Math.max(decision.delayMs, rules.workMs)
      await takeTime(context, session, { message, ms, isOver: isEnded, meta: { _meta: meta } })
      return decision.decide()
    })
  }
  await takeTime(context, session, { message, ms: decision.delayMs, isOver, meta: {} })
  return decision.decide()
}

interface Work {
  message: JsonObject
  ms: number
  isOver(): boolean
  /** what each report has to say beside the progress */
  meta: JsonObject
}

/** Lets the model or the user take their time, and tells how far they are. */
async function takeTime(
  { policies, clock }: AnswerContext,
  { agreement, send }: Asking,
  { message, ms, isOver, meta }: Work,
): Promise<void> {
  const reports = policies.reports(message, agreement.version)
  for (const report of reports) {
    if (isOver()) return
    await send(notification('notifications/progress', { ...report, ...meta }), message)
    await clock.sleep(ms / reports.length)
  }
  if (reports.length === 0 && ms > 0) await clock.sleep(ms)
}
