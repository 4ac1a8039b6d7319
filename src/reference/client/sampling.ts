/** The model of the client, which a server may ask (client/sampling). It is a made-up one: its answer is set up. */
import { randomUUID } from 'node:crypto'
import { argumentsFor } from '../../spec/synthesize.ts'
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { chooseModel } from './models.ts'
import { type Answer, refusal } from './reply.ts'
import type { SamplingSettings } from './settings.ts'

/** How the client samples, as values that can be replaced. */
export interface SamplingRules {
  /** What is asked for and not declared. */
  undeclared(params: JsonObject, capability: Json | undefined): string | undefined
  /** What is wrong with the conversation. */
  messagesProblem(messages: Json | undefined): string | undefined
  /** The name of the model. */
  model(preferences: Json | undefined, models: readonly Json[]): string
  /** The message of the model. */
  speaks(params: JsonObject, settings: SamplingSettings, model: string): JsonObject
  /** What leaves the client: what the request and the revision allow. */
  checks(result: JsonObject, params: JsonObject, version: string): JsonObject
  /** The answer when the user refuses. */
  refuses(error: JsonObject): Answer
  /** So many rounds with tools are taken part in; behind them the model may use none. */
  maxRounds: number
}

const REJECTED = { code: -1, message: 'User rejected sampling request' }
const MAX_ROUNDS = 10

export const correctSampling = (): SamplingRules => ({
  undeclared: (params, capability) => {
    const used = ['tools', 'toolChoice'].find(member => Object.hasOwn(params, member))
    return used === undefined || isObject(at(capability, 'tools')) ? undefined : `${used} without sampling.tools`
  },
  messagesProblem,
  model: chooseModel,
  speaks,
  checks,
  refuses: error => ({ error: { ...REJECTED, ...readError(error) } }),
  maxRounds: MAX_ROUNDS,
})

/** Serves sampling/createMessage. */
export function sample(
  rules: SamplingRules,
  params: JsonObject,
  settings: SamplingSettings,
  surroundings: { capability: Json | undefined; version: string; requestProblem: string | undefined },
): Answer {
  const { capability, version, requestProblem } = surroundings
  const problem = rules.undeclared(params, capability) ?? requestProblem ?? rules.messagesProblem(params.messages)
  if (problem !== undefined) return refusal(codes.invalidParams, problem)
  if (settings.error !== undefined) return rules.refuses(settings.error)
  if (settings.throws !== undefined) throw new Error(settings.throws)
  const tired = roundsIn(params.messages) >= rules.maxRounds
  const asked = tired ? { ...params, toolChoice: { mode: 'none' } } : params
  const model = rules.model(params.modelPreferences, settings.models)
  return { result: rules.checks(rules.speaks(asked, settings, model), asked, version) }
}

/** A message has one block or a list of them. */
export const blocksOf = (content: Json | undefined): Json[] =>
  Array.isArray(content) ? content : content === undefined ? [] : [content]

const isUse = (block: Json): boolean => at(block, 'type') === 'tool_use'
const isToolResult = (block: Json): boolean => at(block, 'type') === 'tool_result'

/** Each use of a tool is answered by the message behind it, and such a message has nothing else (client/sampling#message-content-constraints). */
function messagesProblem(messages: Json | undefined): string | undefined {
  let open: string[] = []
  for (const message of Array.isArray(messages) ? messages : []) {
    const blocks = blocksOf(at(message, 'content'))
    const role = at(message, 'role')
    const results = blocks.filter(isToolResult)
    if (results.length > 0 && role !== 'user') return 'Tool result in a message that is not of the user'
    if (results.length > 0 && results.length < blocks.length) return 'Tool results mixed with other content'
    if (role !== 'assistant' && blocks.some(isUse)) return 'Tool use in a message that is not of the assistant'
    const answered = results.map(block => textAt(block, 'toolUseId') ?? '')
    if (open.some(id => !answered.includes(id))) return 'Tool result missing in request'
    if (answered.some(id => !open.includes(id))) return 'Tool result without a tool use before it'
    open = blocks.filter(isUse).map(block => textAt(block, 'id') ?? '')
  }
  return open.length > 0 ? 'Tool result missing in request' : undefined
}

const roundsIn = (messages: Json | undefined): number =>
  (Array.isArray(messages) ? messages : []).filter(message => blocksOf(at(message, 'content')).some(isUse)).length

function speaks(params: JsonObject, { answer }: SamplingSettings, model: string): JsonObject {
  const [tool] = Array.isArray(params.tools) ? params.tools : []
  const plain: JsonObject = {
    role: 'assistant',
    content: { type: 'text', text: 'This is what the reference model says.' },
    model,
    stopReason: 'endTurn',
  }
  const uses = tool !== undefined && at(params, 'toolChoice', 'mode') === 'required' && answer.content === undefined
  return { ...plain, ...(uses ? { content: useOf(tool) } : {}), ...answer }
}

const useOf = (tool: Json): JsonObject => ({
  type: 'tool_use',
  id: `use-${randomUUID()}`,
  name: textAt(tool, 'name') ?? '',
  input: argumentsFor(at(tool, 'inputSchema')) ?? {},
})

/** From that revision on an answer may have several blocks. */
const BLOCKS_SINCE = '2025-11-25'

function checks(result: JsonObject, params: JsonObject, version: string): JsonObject {
  const mayUse = Array.isArray(params.tools) && params.tools.length > 0 && at(params, 'toolChoice', 'mode') !== 'none'
  const said = blocksOf(result.content).filter(block => mayUse || !isUse(block))
  const blocks = withOwnIds(said.length > 0 ? said : [{ type: 'text', text: '' }])
  const { stopReason, ...rest } = result
  const used = blocks.some(isUse)
  const reason = used ? 'toolUse' : stopReason === 'toolUse' ? 'endTurn' : stopReason
  const several = Array.isArray(result.content) && version >= BLOCKS_SINCE
  return {
    ...rest,
    content: several ? blocks : (blocks[0] as Json),
    ...(reason === undefined ? {} : { stopReason: reason }),
  }
}

/** Results are matched by the ids: the second of two equal ones gets another. */
function withOwnIds(blocks: Json[]): Json[] {
  const seen = new Set<Json | undefined>()
  return blocks.map(block => {
    if (!isObject(block) || !isUse(block)) return block
    const id = seen.has(block.id) ? `use-${randomUUID()}` : block.id
    seen.add(id)
    return { ...block, id }
  })
}

function readError(error: JsonObject): { code?: number; message?: string; data?: Json } {
  const { code, message, data } = error
  return {
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(data === undefined ? {} : { data }),
  }
}
