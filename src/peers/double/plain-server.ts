/** What the double can do by itself: the features that a script lists, and the handshake. */
import { instanceProblems } from '../../spec/json-schema.ts'
import { ADD_NUMBERS } from '../../spec/official-tool.ts'
import { STATEFUL } from '../../spec/revision.ts'
import { at, codes, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import { type FeatureTable, featureOf } from '../server/features.ts'
import { listPage, pagesOf } from '../server/pages.ts'
import type { Call, CallAnswer, CallHandler } from './call.ts'
import type { ServerSetup } from './double.ts'

type PlainFeature = (setup: ServerSetup, call: Call) => CallAnswer | Promise<CallAnswer>

const add: CallHandler = ({ params }) => {
  const sum = Number(at(params, 'arguments', 'a')) + Number(at(params, 'arguments', 'b'))
  return { result: { content: [{ type: 'text', text: `The sum is ${sum}` }] } }
}

const fault = (code: number, message: string): CallAnswer => ({ error: { code, message } })

/** The version of our server: what the client asks for, where we know it; else the one under test. */
export const negotiated = (setup: ServerSetup, asked: Json | undefined, tested: string): Json =>
  setup.negotiate?.(asked) ?? (STATEFUL.some(known => known === asked) ? (asked as string) : tested)

const declaredBy = (setup: ServerSetup): JsonObject => setup.capabilities ?? { tools: {} }

const introduce: PlainFeature = (setup, { conversation }) => ({
  result: {
    protocolVersion: conversation.version,
    capabilities: declaredBy(setup),
    serverInfo: setup.serverInfo ?? { name: 'mcp-conformance', version: '0.1.0' },
    ...(setup.instructions === undefined ? {} : { instructions: setup.instructions }),
    ...setup.more,
  },
})

const wholeList = pagesOf(Number.POSITIVE_INFINITY)

const list =
  (member: string, entries: (setup: ServerSetup) => JsonObject[]): PlainFeature =>
  (setup, { params }) =>
    listPage(wholeList, member, entries(setup), params.cursor)

const toolsOf = (setup: ServerSetup): JsonObject[] => setup.tools ?? [ADD_NUMBERS]

const nothing: PlainFeature = () => ({ result: {} })

const FEATURES: FeatureTable<PlainFeature> = {
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
  'logging/setLevel': { capability: 'logging', run: nothing },
  'completion/complete': { capability: 'completions', run: () => ({ result: { completion: { values: [] } } }) },
}

/** The answer of a plain, correct server with these features. */
export function answerOf(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer> {
  const feature = featureOf(FEATURES, call.method, declaredBy(setup))
  return feature === undefined ? fault(codes.methodNotFound, 'Method not found') : feature(setup, call)
}

function callTool(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer> {
  const name = textAt(call.params, 'name') ?? ''
  const own = setup.calls?.[name]
  const tool = toolsOf(setup).find(one => one.name === name)
  if (setup.strict === true && tool !== undefined) {
    const problem = instanceProblems(tool.inputSchema, call.params.arguments ?? {})
    if (problem !== undefined)
      return { result: { content: [{ type: 'text', text: `Invalid arguments: ${problem}` }], isError: true } }
  }
  if (own !== undefined) return own(call)
  if (name === ADD_NUMBERS.name && setup.tools === undefined) return add(call)
  return tool === undefined
    ? fault(codes.invalidParams, `Unknown tool: ${name}`)
    : { result: { content: [{ type: 'text', text: `${name} was called` }] } }
}

function getPrompt(setup: ServerSetup, { params }: Call): CallAnswer {
  return (setup.prompts ?? []).some(prompt => prompt.name === params.name)
    ? { result: { messages: [{ role: 'user', content: { type: 'text', text: 'A prompt for testing.' } }] } }
    : fault(codes.invalidParams, 'Unknown prompt')
}

function readResource(_setup: ServerSetup, { params }: Call): CallAnswer {
  const uri = textAt(params, 'uri')
  return uri === undefined
    ? fault(codes.invalidParams, 'uri is missing')
    : { result: { contents: [{ uri, mimeType: 'text/plain', text: 'A resource for testing.' }] } }
}
