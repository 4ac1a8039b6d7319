/** All that a scenario for servers imports: it acts through the peer, which is our client, and yields judgements. */
export type { Got, HttpReply, Probe, Reply } from '../peers/reply.ts'
export type { EventStore } from '../peers/server/event-store.ts'
export type { Pending, ServerPeer, Stream } from '../peers/server-peer.ts'
export type { Tamper } from '../reference/outgoing.ts'
export { base64Fit } from '../spec/content.ts'
export { instanceProblems, schemaProblems, UNKNOWN_DIALECT } from '../spec/json-schema.ts'
export { LISTS, type List } from '../spec/lists.ts'
export { encoded, META, textOfHeader } from '../spec/request-metadata.ts'
export { REVISIONS, type Revision, STATEFUL } from '../spec/revision.ts'
export { argumentsFor } from '../spec/synthesize.ts'
export { isTerminal, RELATED_TASK, type TaskStatus, withRelatedTask } from '../spec/tasks.ts'
export { expandTemplate, mayDescribe } from '../spec/uri-template.ts'
export { clock } from '../wire/clock.ts'
export { headerValue, mediaType } from '../wire/http.ts'
export {
  at,
  codes,
  idKey,
  isObject,
  isResponse,
  type Json,
  type JsonObject,
  shapeOf,
  textAt,
} from '../wire/json-rpc.ts'
export type { Frame, MessageFrame } from '../wire/log.ts'
export { memberFault, refusalFault } from './answer-faults.ts'
export { callAsking, filled, hearing, succeeded, WILLING } from './asking.ts'
export { type CallableTool, callableTools, isToolError, tryTool } from './calls.ts'
export { type Completable, sampleArguments } from './completable.ts'
export { fateOf } from './fate.ts'
export { type Fault, type Judgement, judge, type Kind, type Outcome, unmet } from './judgement.ts'
export { completables, listAll, offers } from './lists.ts'
export { failure, notification, refusal, request, response, success } from './messages.ts'
export { awaitNotification } from './notifications.ts'
export { playTask } from './played-task.ts'
export { serverScenario } from './server-scenario.ts'
export { stuckBy } from './stuck.ts'
export { tampers } from './tampers.ts'
export { CANCELLATION_FAULTS, POLLING_FAULTS } from './task-faults.ts'
export { guess } from './task-ids.ts'
export {
  abandon,
  attended,
  callAsTask,
  callPlainly,
  createdId,
  declaring,
  finish,
  NO_TASK_TOOL,
  ODD_CURSOR,
  pollUntil,
  relatedTo,
  statusIn,
  TASK_HELLO,
  type TaskTool,
  TTL_MS,
  taskTool,
  toolsToCall,
  withClientTasks,
  withTasks,
} from './tasks.ts'
