/** What the double can do by itself: the features that a script lists, and the handshake. */
import { ADD_NUMBERS } from '../../spec/official-tool.ts'
import { STATEFUL } from '../../spec/revision.ts'
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Call, CallAnswer, CallHandler, ServerSetup } from './double.ts'

const add: CallHandler = ({ params }) => {
  const sum = Number(at(params, 'arguments', 'a')) + Number(at(params, 'arguments', 'b'))
  return { result: { content: [{ type: 'text', text: `The sum is ${sum}` }] } }
}

const fault = (code: number, message: string): CallAnswer => ({ error: { code, message } })

/** The version of our server: what the client asks for, where we know it; else the one under test. */
export const negotiated = (setup: ServerSetup, asked: Json | undefined, tested: string): Json =>
  setup.negotiate?.(asked) ?? (STATEFUL.some(known => known === asked) ? (asked as string) : tested)

export function introduction(setup: ServerSetup, version: Json): JsonObject {
  return {
    protocolVersion: version,
    capabilities: setup.capabilities ?? { tools: {} },
    serverInfo: setup.serverInfo ?? { name: 'mcp-conformance', version: '0.1.0' },
    ...(setup.instructions === undefined ? {} : { instructions: setup.instructions }),
    ...setup.more,
  }
}

const LISTS: Record<string, [capability: string, member: string, entries: (setup: ServerSetup) => JsonObject[]]> = {
  'tools/list': ['tools', 'tools', setup => setup.tools ?? [ADD_NUMBERS]],
  'prompts/list': ['prompts', 'prompts', setup => setup.prompts ?? []],
  'resources/list': ['resources', 'resources', setup => setup.resources ?? []],
  'resources/templates/list': ['resources', 'resourceTemplates', setup => setup.templates ?? []],
}

/** The answer of a plain, correct server with these features. */
export function answerOf(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer> {
  const { method, params } = call
  if (method === 'initialize') return { result: introduction(setup, call.conversation.version) }
  if (method === 'ping') return { result: {} }
  const declared: JsonObject = setup.capabilities ?? { tools: {} }
  const list = LISTS[method]
  if (list !== undefined) {
    const [capability, member, entries] = list
    return isObject(declared[capability])
      ? { result: { [member]: entries(setup) } }
      : fault(codes.methodNotFound, 'Method not found')
  }
  if (method === 'tools/call' && isObject(declared.tools)) return callTool(setup, call)
  if (method === 'prompts/get' && isObject(declared.prompts)) {
    const found = (setup.prompts ?? []).some(prompt => prompt.name === params.name)
    return found
      ? { result: { messages: [{ role: 'user', content: { type: 'text', text: 'A prompt for testing.' } }] } }
      : fault(codes.invalidParams, 'Unknown prompt')
  }
  if (method === 'resources/read' && isObject(declared.resources)) {
    const uri = textAt(params, 'uri')
    return uri === undefined
      ? fault(codes.invalidParams, 'uri is missing')
      : { result: { contents: [{ uri, mimeType: 'text/plain', text: 'A resource for testing.' }] } }
  }
  if (/^resources\/(?:un)?subscribe$/.test(method) && at(declared, 'resources', 'subscribe') === true)
    return { result: {} }
  if (method === 'logging/setLevel' && isObject(declared.logging)) return { result: {} }
  if (method === 'completion/complete' && isObject(declared.completions))
    return { result: { completion: { values: [] } } }
  return fault(codes.methodNotFound, 'Method not found')
}

function callTool(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer> {
  const name = textAt(call.params, 'name') ?? ''
  const own = setup.calls?.[name]
  if (own !== undefined) return own(call)
  if (name === ADD_NUMBERS.name && setup.tools === undefined) return add(call)
  return (setup.tools ?? []).some(tool => tool.name === name)
    ? { result: { content: [{ type: 'text', text: `${name} was called` }] } }
    : fault(codes.invalidParams, `Unknown tool: ${name}`)
}
