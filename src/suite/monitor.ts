/** All that a monitor imports: it judges from the frames alone. */
export type { Tamper } from '../reference/outgoing.ts'
export type { Via } from '../spec/catalogue.ts'
export { loadPlaceClauses, type PlaceClause } from '../spec/clauses.ts'
export { annotationProblem, base64Fit, isTimestamp, isUri, mediaTypeFit, textFault } from '../spec/content.ts'
export { fieldKind, fieldProblem } from '../spec/form-schema.ts'
export { instanceProblems } from '../spec/json-schema.ts'
export { META } from '../spec/request-metadata.ts'
export type { Revision } from '../spec/revision.ts'
export { definitionOf } from '../spec/schemas.ts'
export { isTerminal, RELATED_TASK } from '../spec/tasks.ts'
export { templateProblem } from '../spec/uri-template.ts'
export { type SeenExchange, trackExchanges } from '../wire/exchanges.ts'
export { headerValue, headerValues, mediaType } from '../wire/http.ts'
export {
  at,
  codes,
  idKey,
  isObject,
  isRequestId,
  isResponse,
  type Json,
  type JsonObject,
  shapeOf,
  textAt,
} from '../wire/json-rpc.ts'
export type { Frame, MessageFrame } from '../wire/log.ts'
export type { ClientReplacement } from './client-scenario.ts'
export { askedIn, declaredIn, followResults, lacks, ourMessages, theirMessages } from './frames.ts'
export { type Fault, inapplicable, judge, type Kind, type Outcome } from './judgement.ts'
export { failure, notification, request, response } from './messages.ts'
export { type Monitor, type MonitorContext, monitor } from './monitor-definition.ts'
export { type Exchanges, judgeShapes, noExchanges, remember } from './shapes.ts'
export { tampers } from './tampers.ts'
export { supportOf, withClientTasks, withTasks } from './tasks.ts'
