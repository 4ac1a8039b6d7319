/** What the user of the client has set up: which features there are, and what its model and its user say. */
import { at, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'

export interface SamplingSettings {
  /** the members of the answer that differ from a plain one */
  answer: JsonObject
  /** the user refuses with this error */
  error: JsonObject | undefined
  tools: boolean
  models: Json[]
  /** the model fails with this text: an exception inside the client */
  throws: string | undefined
  /** how long the model and its user take */
  delayMs: number
}

export interface ElicitationSettings {
  action: 'accept' | 'decline' | 'cancel'
  /** what the user enters; undefined: the fields keep what is in them */
  content: JsonObject | undefined
  form: boolean
  url: boolean
  declare: 'modes' | 'empty'
  delayMs: number
}

/** What is undefined is not offered. */
export interface Settings {
  roots: Json[] | undefined
  sampling: SamplingSettings | undefined
  elicitation: ElicitationSettings | undefined
  tasks: boolean
}

/** Where nobody says what the client has to be: it has everything. */
export const everything = (): Settings => ({
  roots: [{ uri: 'file:///project', name: 'project' }],
  sampling: samplingIn({ tools: true }),
  elicitation: elicitationIn({ action: 'accept', url: true }),
  tasks: true,
})

export function settingsIn(client: Json | undefined): Settings {
  const roots = at(client, 'roots')
  return {
    roots: Array.isArray(roots) ? roots : undefined,
    sampling: samplingIn(at(client, 'sampling')),
    elicitation: elicitationIn(at(client, 'elicitation')),
    tasks: isSet(at(client, 'tasks')),
  }
}

const isSet = (value: Json | undefined): boolean => value === true || isObject(value)

/** Without a list there is this one. */
const MODELS = ['reference-model']

function samplingIn(given: Json | undefined): SamplingSettings | undefined {
  if (!isSet(given)) return undefined
  const answer = at(given, 'answer')
  const error = at(given, 'error')
  const models = at(given, 'models')
  return {
    answer: isObject(answer) ? answer : {},
    error: isObject(error) ? error : undefined,
    tools: isSet(at(given, 'tools')),
    throws: textAt(given, 'throws'),
    models: Array.isArray(models) && models.length > 0 ? models : MODELS,
    delayMs: delayIn(given),
  }
}

function elicitationIn(given: Json | undefined): ElicitationSettings | undefined {
  if (!isSet(given)) return undefined
  const action = textAt(given, 'action')
  const content = at(given, 'content')
  return {
    action: action === 'decline' || action === 'cancel' ? action : 'accept',
    content: isObject(content) ? content : undefined,
    form: at(given, 'form') !== false,
    url: isSet(at(given, 'url')),
    declare: at(given, 'declare') === 'empty' ? 'empty' : 'modes',
    delayMs: delayIn(given),
  }
}

function delayIn(given: Json | undefined): number {
  const delay = at(given, 'delayMs')
  return typeof delay === 'number' && delay > 0 ? delay : 0
}
