/** Calls of tools that we do not know, for scenarios: which may be called, with which arguments, and for how long. */
import type { Reply } from '../peers/reply.ts'
import type { ServerPeer } from '../peers/server-peer.ts'
import { argumentsFor } from '../spec/synthesize.ts'
import { at, type Json, type JsonObject } from '../wire/json-rpc.ts'

/** Fixtures that return at once and change nothing. */
const PLAIN_FIXTURES = ['test_simple_text', 'test_structured_content', 'test_resource_link']

/** A tool that may be called, with the least arguments that its schema allows. */
export interface CallableTool {
  name: string
  args: JsonObject
  tool: JsonObject
  /** made to be called: it does what our contract says */
  fixture: boolean
}

/**
 * The tools that may be called: first the plain fixtures, then what `--call-tools` admits, those with structured
 * results and few arguments first. Tools that run as tasks only are left out, and so are those whose schema we
 * cannot serve.
 */
export function callableTools(peer: ServerPeer, tools: readonly JsonObject[]): CallableTool[] {
  const found = tools.flatMap(tool => {
    const { name } = tool
    if (typeof name !== 'string' || !peer.mayCall(tool)) return []
    const fixture = PLAIN_FIXTURES.includes(name)
    // The other fixtures wait, ask or fail; each of them has a scenario of its own.
    if (!fixture && /^(?:test_|json_schema_)/.test(name)) return []
    const args = at(tool, 'execution', 'taskSupport') === 'required' ? undefined : argumentsFor(tool.inputSchema)
    return args === undefined ? [] : [{ name, args, tool, fixture }]
  })
  const cost = ({ fixture, tool, args }: CallableTool): number =>
    (fixture ? 0 : 1_000) + (tool.outputSchema === undefined ? 100 : 0) + Object.keys(args).length
  return found.sort((a, b) => cost(a) - cost(b))
}

/** Calls a tool; undefined where it takes long, as a foreign tool may: then it is cancelled. */
export async function tryTool(
  peer: ServerPeer,
  { name, fixture }: CallableTool,
  args: Json | undefined,
  intended?: 'fault',
): Promise<Reply | undefined> {
  const withinMs = fixture ? peer.timeouts.replyMs : peer.timeouts.watchMs * 2
  const call = peer.request(
    'tools/call',
    { name, arguments: args },
    { withinMs, ...(intended === undefined ? {} : { intended }) },
  )
  const reply = await call
  if (fixture || reply.kind !== 'none' || reply.why !== 'timeout') return reply
  await call.cancel('it takes longer than a test may')
  return undefined
}

/** A tool ran and failed: the result says so by isError. */
export const isToolError = (reply: Reply): boolean => reply.kind === 'result' && at(reply.result, 'isError') === true
