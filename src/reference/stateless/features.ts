/** What the server without sessions offers: discovery and a few tools. */
import { listPage } from '../../peers/server/pages.ts'
import { META } from '../../spec/request-metadata.ts'
import { codes, isObject, type JsonObject } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import { text } from '../server/tool.ts'
import type { Problem } from './rules.ts'

/** What a feature works with. */
export interface Asked {
  params: JsonObject
  /** what this request declares: nothing is remembered */
  declared: JsonObject
  policies: Policies
}

/** A refusal may have a status of its own. */
export type Done = { result: JsonObject } | { problem: Problem; status?: number }
export type Feature = (asked: Asked) => Done | undefined

interface StatelessTool {
  name: string
  description: string
  /** capabilities of the client that a call needs */
  needs: JsonObject
  call(): JsonObject
}

const TOOLS: readonly StatelessTool[] = [
  {
    name: 'test_simple_text',
    description: 'Returns one text',
    needs: {},
    call: () => text('This is a simple text response for testing.'),
  },
  {
    name: 'test_error_handling',
    description: 'Returns a tool error',
    needs: {},
    call: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'test_missing_capability',
    description: 'Needs sampling',
    needs: { sampling: {} },
    call: () => text('The client samples.'),
  },
]

const INPUT = { type: 'object', properties: {} }

/** Lists do not change while the server lives. */
const HINTS = { ttlMs: 60_000, cacheScope: 'public' }

/** What this server declares: it has no changes to tell of. */
const CAPABILITIES = { tools: {} }

export const features: Readonly<Record<string, Feature>> = {
  'server/discover'({ policies }) {
    const { instructions, stateless } = policies
    const result = stateless.onDiscover({
      supportedVersions: [...stateless.versions],
      capabilities: CAPABILITIES,
      ...HINTS,
      ...(instructions === undefined ? {} : { instructions }),
    })
    return result === undefined ? undefined : complete(policies, result)
  },
  'tools/list'({ params, policies }) {
    const listed = TOOLS.map(({ name, description }) => ({
      name,
      description,
      inputSchema: INPUT,
      annotations: { readOnlyHint: true },
    }))
    const page = listPage(policies.page, 'tools', listed, params.cursor)
    return 'error' in page ? { problem: page.error } : complete(policies, { ...page.result, ...HINTS })
  },
  'tools/call'({ params, declared, policies }) {
    const tool = TOOLS.find(({ name }) => policies.namesTool(params.name, name))
    if (tool === undefined)
      return { problem: { code: codes.invalidParams, message: `Unknown tool: ${String(params.name)}` } }
    const { arguments: args = {} } = params
    if (!isObject(args)) return { problem: { code: codes.invalidParams, message: 'arguments must be an object' } }
    const lacking = policies.stateless.lacks(tool.needs, declared)
    if (lacking !== undefined) return { problem: policies.stateless.onLack(lacking), status: 400 }
    const problem = policies.argumentProblems(INPUT, args)
    if (problem !== undefined) return complete(policies, { ...text(`Invalid arguments: ${problem}`), isError: true })
    return complete(policies, tool.call())
  },
}

const complete = ({ serverInfo }: Policies, result: JsonObject): Done => ({
  result: { resultType: 'complete', ...result, _meta: { [META.serverInfo]: serverInfo } },
})
