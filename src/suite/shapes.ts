/** What the schema of a method says about a message, told by the clause that speaks of the place (schema/<revision>/protocol). */
import { loadPlaceClauses, type PlaceClause, speaksOf, withoutIndexes } from '../spec/clauses.ts'
import { isRevision, type Revision } from '../spec/revision.ts'
import { definitionOf, type Part, type Problem, problemsOf } from '../spec/schemas.ts'
import { at, idKey, isObject, isRequestId, type Json, type JsonObject, shapeOf, textAt } from '../wire/json-rpc.ts'
import type { Frame } from '../wire/log.ts'
import { type Judgement, judge } from './judgement.ts'
import type { MonitorContext } from './monitor-definition.ts'

const CLAUSES = loadPlaceClauses()

/** Shapes that other suites judge: a cause is reported once. */
const ELSEWHERE = [
  /(?:^|\.)_meta\b/, // monitors/meta-keys
  // monitors/icons; that there is a list of them at all belongs to the entry
  /^(?:params\.clientInfo|result(?!\.(?:tools|prompts|resources|resourceTemplates)\[\d+\]\.icons$))\b.*\.icons\b/,
  /^(?:result|params)\.capabilities\.(?!tasks\b)/, // monitors/capabilities, monitors/client-capabilities
  /^result\.(?:protocolVersion|capabilities|serverInfo(?:\.name|\.version)?)$/, // server/lifecycle/handshake
  /^params\.(?:protocolVersion|capabilities|clientInfo(?:\.name|\.version)?)$/, // client/lifecycle/opens
]

interface Asked {
  method: string
  /** it asks to become a task */
  augmented: boolean
  /** tasks/result: the method of the request that became the task */
  original?: string | undefined
}

/** What has to be known of a session to read its answers. */
export interface Exchanges {
  /** requests of ours, by id key */
  asked: Map<string, Asked>
  /** the method of the request that became a task, by the id of the task */
  tasks: Map<string, string>
}

export const noExchanges = (): Exchanges => ({ asked: new Map(), tasks: new Map() })

/** A message as it is validated, and how to speak of it. */
interface Subject {
  definition: string
  value: Json
  /** what stands before the places of its problems */
  root: 'result' | ''
  method: string
  called: string
}

/** A message of ours: requests are remembered for their answers. */
export function remember(state: Exchanges, message: Json): void {
  if (shapeOf(message) !== 'request') return
  const method = textAt(message, 'method') ?? ''
  const original = method === 'tasks/result' ? state.tasks.get(textAt(message, 'params', 'taskId') ?? '') : undefined
  state.asked.set(idKey(at(message, 'id')), {
    method,
    augmented: at(message, 'params', 'task') !== undefined,
    original,
  })
}

/** What of a message can be validated: nothing where its envelope is broken, its method unknown, or its request not ours. */
function subjectsOf(
  state: Exchanges,
  role: MonitorContext['role'],
  revision: Revision,
  message: JsonObject,
): Subject[] {
  const kind = shapeOf(message)
  const { id, method } = message
  if (kind === 'request' || kind === 'notification') {
    if (typeof method !== 'string' || (kind === 'request' && !isRequestId(id))) return []
    if (message.params !== undefined && !isObject(message.params)) return []
    const called = kind === 'request' ? `the request ${method}` : method
    return subject(definitionOf(revision, role, method, kind), message, '', method, called)
  }
  if (kind === 'error') {
    // Errors have a monitor of their own; only those that say more than others are looked at here.
    const code = String(at(message, 'error', 'code'))
    return subject(definitionOf(revision, role, code, 'error'), message, '', code, `the error ${code}`)
  }
  const asked = state.asked.get(idKey(id))
  if (asked === undefined || !isObject(message.result)) return []
  const version = message.result.protocolVersion
  // What a version that we do not know looks like is not ours to say.
  if (asked.method === 'initialize' && typeof version === 'string' && !isRevision(version)) return []
  const part: Part = asked.augmented && message.result.task !== undefined ? 'task' : 'result'
  const taskId = textAt(message, 'result', 'task', 'taskId')
  if (part === 'task' && taskId !== undefined) state.tasks.set(taskId, asked.method)
  const asker = role === 'server' ? 'client' : 'server'
  const definition = definitionOf(revision, asker, asked.original ?? asked.method, part)
  return subject(definition, message.result, 'result', asked.original ?? asked.method, `the answer to ${asked.method}`)
}

const subject = (
  definition: string | undefined,
  value: Json,
  root: Subject['root'],
  method: string,
  called: string,
): Subject[] => (definition === undefined ? [] : [{ definition, value, root, method, called }])

/** What a message of the target is worth: a judgement for each clause whose place is in it. */
export const judgeShapes = (
  state: Exchanges,
  { role, revision }: MonitorContext,
  message: JsonObject,
  frame: Frame,
): Judgement<string>[] =>
  subjectsOf(state, role, revision(), message).flatMap(one => judgeShape(revision(), role, one, frame))

/** Each clause whose place is there holds, unless a problem says otherwise. */
function judgeShape(
  revision: Revision,
  role: MonitorContext['role'],
  { definition, value, root, method, called }: Subject,
  frame: Frame,
): Judgement<string>[] {
  const problems = problemsOf(revision, definition, value)
    .map(problem => ({ ...problem, place: placed(root, problem.place) }))
    .filter(problem => !ELSEWHERE.some(place => place.test(problem.place)))
  const judgements = problems.flatMap(problem =>
    claimsFor(role, method, problem).map(claim => report(claim, method, called, problem, frame)),
  )
  const broken = new Set(judgements.map(({ claim }) => claim))
  const whole = root === '' ? value : { [root]: value }
  const present = CLAUSES.filter(clause => clause.from === role && clause.method === method && appliesTo(clause, whole))
  const sound = ['valid', ...new Set(present.flatMap(claimsOf))].filter(claim => !broken.has(claim))
  return [...judgements, ...sound.map(claim => judge(claim, true, `${called} in the shape of ${definition}`, frame))]
}

const placed = (root: string, place: string): string =>
  [root, place].filter(part => part !== '').join(place.startsWith('[') ? '' : '.')

const claimsOf = ({ requirement, also = [] }: PlaceClause): string[] => [requirement, ...also]

function claimsFor(role: MonitorContext['role'], method: string, problem: Problem): string[] {
  const clause = CLAUSES.find(one => one.from === role && speaksOf(one, method, problem))
  return clause === undefined ? ['valid'] : claimsOf(clause)
}

function report(
  claim: string,
  method: string,
  called: string,
  { kind, place, expected, got, open }: Problem,
  frame: Frame,
): Judgement<string> {
  const because = open === undefined ? '' : ` (${open})`
  const where = place === '' ? called : `${place} in ${called}`
  const seen = { text: `${got}${because}`, frames: [frame] }
  const subject = `${method} ${withoutIndexes(place)}`.trimEnd()
  return judge(claim, open === undefined ? 'breaks' : 'bends', `${where} to be ${expected}`, seen, { kind, subject })
}

/** Its place is there, or what it may be left out beside. */
const appliesTo = ({ at: place, beside }: PlaceClause, message: Json): boolean =>
  [place, beside].some(one => one !== undefined && isThere(message, stepsOf(one)))

const stepsOf = (place: string): string[] => place.replace('*', '').replaceAll('[]', '.[]').split('.')

function isThere(value: Json | undefined, [step, ...rest]: string[]): boolean {
  if (step === undefined) return value !== undefined
  if (step === '[]') return Array.isArray(value) && value.some(one => isThere(one, rest))
  return isThere(at(value, step), rest)
}
