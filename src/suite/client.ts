/** All that a scenario for clients imports: a script that our server plays, and the judgement of what the client did. */
export type {
  Call,
  CallAnswer,
  EventStream,
  HttpBehaviour,
  HttpSeen,
  ServerDouble,
  ServerSetup,
  ToolDefinition,
} from '../peers/double/double.ts'
export type { Got, Reply } from '../peers/reply.ts'
export type { TaskCallRules } from '../reference/client/task-call-rules.ts'
export type { ReceiverRules } from '../reference/client/tasks.ts'
export type { Tamper } from '../reference/outgoing.ts'
export { instanceProblems } from '../spec/json-schema.ts'
export { ADD_NUMBERS } from '../spec/official-tool.ts'
export { headerText, META, textOfHeader } from '../spec/request-metadata.ts'
export { isTerminal, RELATED_TASK, type TaskStatus, withRelatedTask } from '../spec/tasks.ts'
export { clock } from '../wire/clock.ts'
export { headerValue, headerValues } from '../wire/http.ts'
export {
  at,
  codes,
  idKey,
  isObject,
  isRequestId,
  isResponse,
  type Json,
  type JsonObject,
  type RequestId,
  shapeOf,
  textAt,
} from '../wire/json-rpc.ts'
export type { Frame, MessageFrame } from '../wire/log.ts'
export type { SseLayout } from '../wire/sse-writer.ts'
export { memberFault, refusalFault } from './answer-faults.ts'
export {
  type Answers,
  actionOf,
  askInTurn,
  codeOf,
  declaration,
  declared,
  inResult,
  type Question,
} from './asking-clients.ts'
export {
  type ClientDefect,
  type ClientReplacement,
  type ClientRun,
  type ClientSettings,
  clientScenario,
  type Script,
  type Step,
  script,
} from './client-scenario.ts'
export { type Judgement, judge, type Kind, type Outcome, unmet, type Yielded } from './judgement.ts'
export { type Hit, type Listener, openListener } from './listener.ts'
export { failure, notification, refusal, request, response, success } from './messages.ts'
export { naiveEvents } from './naive-events.ts'
export { endKind, fateOfStep, judgeTaken, reported, stepKind, took } from './outcomes.ts'
export { type PlayedTask, playTask } from './played-task.ts'
export { CALLING, crashed, fateOfClient, PLAIN, responses, type Sent, sent, shookHands, undone } from './seen.ts'
export { tampers } from './tampers.ts'
export { CANCELLATION_FAULTS, POLLING_FAULTS } from './task-faults.ts'
export { guess } from './task-ids.ts'
export { createdId, ODD_CURSOR, statusIn } from './tasks.ts'
