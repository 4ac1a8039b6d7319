/** What the client is to do: the scenarios that have a name only, and those that are written out in steps. */
import { at, isObject, type Json, type JsonObject, parseJson, textAt } from '../../wire/json-rpc.ts'
import { everything, type Settings, settingsIn } from './settings.ts'

export type Step =
  | { does: 'request'; method: string; params: JsonObject | ((known: Known) => JsonObject); options: StepOptions }
  | { does: 'notify'; method: string; params: JsonObject | undefined }
  | { does: 'pause'; ms: number }
  | { does: 'set roots'; roots: Json[] }
  | { does: 'reconnect' }
  | { does: 'unknown' }

export interface StepOptions {
  timeoutMs?: number
  cancelAfterMs?: number
  progress: boolean
  task?: JsonObject
  meanwhile: boolean
}

/** What an earlier step has brought. */
export interface Known {
  tools: ReadonlyMap<string, JsonObject>
}

export interface Plan {
  settings: Settings
  steps: Step[]
  /** A step that fails is a failure of the whole. */
  isStrict: boolean
}

const ask = (method: string, params: JsonObject | ((known: Known) => JsonObject) = {}): Step => ({
  does: 'request',
  method,
  params,
  options: { progress: false, meanwhile: false },
})

const call = (name: string, args: JsonObject | ((known: Known) => JsonObject) = {}): Step =>
  ask('tools/call', known => ({ name, arguments: typeof args === 'function' ? args(known) : args }))

const DIALECT_TOOL = 'json_schema_2020_12_tool'

/** The scenarios that every driver knows by their names. */
const NAMED: Record<string, Step[]> = {
  initialize: [ask('tools/list')],
  tools_call: [ask('tools/list'), call('add_numbers', { a: 5, b: 3 })],
  'elicitation-sep1034-client-defaults': [call('test_client_elicitation_defaults')],
  'sse-retry': [ask('tools/list'), call('test_reconnection')],
  'json-schema-2020-12-preservation': [
    ask('tools/list'),
    call('json_schema_echo', ({ tools }) => ({ schema: at(tools.get(DIALECT_TOOL), 'inputSchema') })),
  ],
}

/** Undefined for a scenario that the client does not know. */
export function planFor(env: Record<string, string | undefined>): Plan | undefined {
  const context = parseJson(env.MCP_CONFORMANCE_CONTEXT ?? '')
  const steps = at(context, 'steps')
  if (Array.isArray(steps))
    return { settings: settingsIn(at(context, 'client')), steps: steps.map(stepIn), isStrict: false }
  const name = env.MCP_CONFORMANCE_SCENARIO ?? textAt(context, 'name') ?? 'initialize'
  const named = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  if (named === undefined) return undefined
  const client = at(context, 'client')
  return { settings: isObject(client) ? settingsIn(client) : everything(), steps: named, isStrict: true }
}

function stepIn(step: Json): Step {
  const method = textAt(step, 'request')
  const params = at(step, 'params')
  if (method !== undefined)
    return { does: 'request', method, params: isObject(params) ? params : {}, options: optionsIn(step) }
  const told = textAt(step, 'notify')
  if (told !== undefined) return { does: 'notify', method: told, params: isObject(params) ? params : undefined }
  const pause = at(step, 'pause')
  if (typeof pause === 'number') return { does: 'pause', ms: pause }
  const roots = at(step, 'setRoots')
  if (Array.isArray(roots)) return { does: 'set roots', roots }
  return at(step, 'reconnect') === true ? { does: 'reconnect' } : { does: 'unknown' }
}

function optionsIn(step: Json): StepOptions {
  const timeoutMs = at(step, 'timeoutMs')
  const cancelAfterMs = at(step, 'cancelAfterMs')
  const task = at(step, 'task')
  return {
    progress: at(step, 'progress') === true,
    meanwhile: at(step, 'meanwhile') === true,
    ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
    ...(typeof cancelAfterMs === 'number' ? { cancelAfterMs } : {}),
    ...(isObject(task) ? { task: typeof task.ttl === 'number' ? { ttl: task.ttl } : {} } : {}),
  }
}
