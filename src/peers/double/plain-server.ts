/** What the double can do by itself: the features that a script lists, and the handshake. */
import { isUri } from '../../spec/content.ts'
import { instanceProblems } from '../../spec/json-schema.ts'
import { LOG_LEVELS } from '../../spec/log-levels.ts'
import { ADD_NUMBERS } from '../../spec/official-tool.ts'
import { STATEFUL } from '../../spec/revision.ts'
import { mayDescribe } from '../../spec/uri-template.ts'
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { type FeatureTable, featureOf } from '../server/features.ts'
import { listPage, pagesOf } from '../server/pages.ts'
import { promptArguments } from '../server/prompt-arguments.ts'
import type { Call, CallAnswer, CallHandler } from './call.ts'
import type { ServerSetup } from './double.ts'

export type PlainFeature = (setup: ServerSetup, call: Call) => CallAnswer | Promise<CallAnswer>

const add: CallHandler = ({ params }) => {
  const sum = Number(at(params, 'arguments', 'a')) + Number(at(params, 'arguments', 'b'))
  return { result: { content: [{ type: 'text', text: `The sum is ${sum}` }] } }
}

const fault = (code: number, message: string): CallAnswer => ({ error: { code, message } })

/** The version of our server: what the client asks for, where we know it; else the one under test. */
export const negotiated = (setup: ServerSetup, asked: Json | undefined, tested: string): Json =>
  setup.negotiate?.(asked) ?? (STATEFUL.some(known => known === asked) ? (asked as string) : tested)

export const declaredBy = (setup: ServerSetup): JsonObject => setup.capabilities ?? { tools: {} }

export const OUR_SERVER = { name: 'mcp-conformance', version: '0.1.0' }

const introduce: PlainFeature = (setup, { conversation }) => ({
  result: {
    protocolVersion: conversation.version,
    capabilities: declaredBy(setup),
    serverInfo: setup.serverInfo ?? OUR_SERVER,
    ...(setup.instructions === undefined ? {} : { instructions: setup.instructions }),
    ...setup.more,
  },
})

const wholeList = pagesOf(Number.POSITIVE_INFINITY)

const list =
  (member: string, entries: (setup: ServerSetup) => JsonObject[]): PlainFeature =>
  (setup, { params }) =>
    listPage(wholeList, member, entries(setup), params.cursor)

export const toolsOf = (setup: ServerSetup): JsonObject[] => setup.tools ?? [ADD_NUMBERS]

const nothing: PlainFeature = () => ({ result: {} })

export const FEATURES = {
  initialize: { run: introduce },
  ping: { run: nothing },
  'tools/list': { capability: 'tools', run: list('tools', toolsOf) },
  'tools/call': { capability: 'tools', run: callTool },
  'prompts/list': { capability: 'prompts', run: list('prompts', setup => setup.prompts ?? []) },
  'prompts/get': { capability: 'prompts', run: getPrompt },
  'resources/list': { capability: 'resources', run: list('resources', setup => setup.resources ?? []) },
  'resources/templates/list': {
    capability: 'resources',
    run: list('resourceTemplates', setup => setup.templates ?? []),
  },
  'resources/read': { capability: 'resources', run: readResource },
  'resources/subscribe': { capability: 'resources.subscribe', run: nothing },
  'resources/unsubscribe': { capability: 'resources.subscribe', run: nothing },
  'logging/setLevel': { capability: 'logging', run: setLevel },
  'completion/complete': { capability: 'completions', run: complete },
} satisfies FeatureTable<PlainFeature>

/** The answer of a plain, correct server with these features. */
export function answerOf(
  features: FeatureTable<PlainFeature>,
  setup: ServerSetup,
  call: Call,
): CallAnswer | Promise<CallAnswer> {
  const feature = featureOf(features, call.method, declaredBy(setup))
  return feature === undefined ? fault(codes.methodNotFound, 'Method not found') : feature(setup, call)
}

function callTool(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer> {
  const name = textAt(call.params, 'name') ?? ''
  const own = setup.calls?.[name]
  const tool = toolsOf(setup).find(one => one.name === name)
  const problem =
    setup.strict === true && tool !== undefined ? callProblem(tool, call.params.arguments ?? {}) : undefined
  if (problem !== undefined) return problem
  if (own !== undefined) return own(call)
  if (name === ADD_NUMBERS.name && setup.tools === undefined) return add(call)
  return tool === undefined
    ? fault(codes.invalidParams, `Unknown tool: ${name}`)
    : { result: { content: [{ type: 'text', text: `${name} was called` }] } }
}

function callProblem({ inputSchema }: JsonObject, args: Json): CallAnswer | undefined {
  if (!isObject(args)) return fault(codes.invalidParams, 'arguments must be an object')
  const problem = instanceProblems(inputSchema, args)
  return problem === undefined
    ? undefined
    : { result: { content: [{ type: 'text', text: `Invalid arguments: ${problem}` }], isError: true } }
}

const promptNamed = ({ prompts = [] }: ServerSetup, name: Json | undefined): JsonObject | undefined =>
  prompts.find(prompt => prompt.name === name)

function getPrompt(setup: ServerSetup, { params }: Call): CallAnswer {
  const prompt = promptNamed(setup, params.name)
  if (prompt === undefined) return fault(codes.invalidParams, 'Unknown prompt')
  const args = promptArguments(prompt, params.arguments)
  if (typeof args === 'string') return fault(codes.invalidParams, args)
  return { result: { messages: [{ role: 'user', content: { type: 'text', text: 'A prompt for testing.' } }] } }
}

function readResource({ resources = [], templates = [] }: ServerSetup, { params }: Call): CallAnswer {
  const { uri } = params
  if (!isUri(uri)) return fault(codes.invalidParams, 'uri must be an absolute URI')
  const text = 'A resource for testing.'
  if (resources.some(resource => resource.uri === uri))
    return { result: { contents: [{ uri, mimeType: 'text/plain', text }] } }
  return templates.some(({ uriTemplate }) => mayDescribe(String(uriTemplate), uri))
    ? { result: { contents: [{ uri, mimeType: 'text/plain', text: `${text} It is at ${uri}.` }] } }
    : { error: { code: codes.resourceNotFound, message: 'Resource not found', data: { uri } } }
}

function setLevel(_setup: ServerSetup, { params: { level } }: Call): CallAnswer {
  return typeof level === 'string' && LOG_LEVELS.includes(level)
    ? { result: {} }
    : fault(codes.invalidParams, 'there is no such level')
}

function complete(setup: ServerSetup, { params }: Call): CallAnswer {
  const ref = at(params, 'ref')
  const known =
    textAt(ref, 'type') === 'ref/prompt'
      ? promptNamed(setup, at(ref, 'name')) !== undefined
      : textAt(ref, 'type') === 'ref/resource' &&
        (setup.templates ?? []).some(({ uriTemplate }) => uriTemplate === at(ref, 'uri'))
  if (!known) return fault(codes.invalidParams, 'ref is no prompt and no resource of this server')
  if (textAt(params, 'argument', 'name') === undefined || textAt(params, 'argument', 'value') === undefined)
    return fault(codes.invalidParams, 'argument must have a name and a value, both of them text')
  return { result: { completion: { values: [] } } }
}
