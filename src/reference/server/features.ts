/** What the reference server offers: the fixtures that SDK authors already know, by the same names. */
import type { FeatureTable } from '../../peers/server/features.ts'
import { codes, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { Answer } from './answer.ts'
import { complete } from './completion.ts'
import { contentTools } from './content-tools.ts'
import { elicitationTools } from './elicitation.ts'
import { list } from './lists.ts'
import { loggingTools, setLevel } from './logging.ts'
import { progressTools } from './progress.ts'
import { getPrompt, promptsOf, promptTools } from './prompts.ts'
import { resourceFeatures, resourceTools } from './resources.ts'
import { rootsTools } from './roots.ts'
import { samplingTools } from './sampling.ts'
import { taskTools } from './task-tools.ts'
import { asListed, callable, taskFeatures } from './tasks.ts'
import { type Tool, text, tool } from './tool.ts'
import { toolChanges, toolsOf } from './tool-changes.ts'
import type { Feature, Tools } from './tools.ts'

const error = (code: number, message: string, data?: Json): Answer => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
})
/** Time between two steps of a slow tool. */
const STEP_MS = 50

const catalogue: Tool[] = [
  tool('test_simple_text', 'Returns one text', () => text('This is a simple text response for testing.')),
  tool('test_error_handling', 'Returns a tool error', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool('test_reconnection', 'Closes the stream of its call, then returns its result', async (_args, tools) => {
    tools.closeConnection()
    await tools.policies.sleep(STEP_MS)
    return text('Reconnection test completed successfully')
  }),
]

/** Their schemas mean one thing under the dialect that they name and another under others. */
const dialectTools: Tool[] = [
  tool('test_schema_default_dialect', 'Takes a pair, described under 2020-12', () => text('accepted'), {
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
    required: ['pair'],
  }),
  tool(
    'test_schema_draft_07',
    'Takes a pair and anything beside it, described under draft-07',
    () => text('accepted'),
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
        loose: { type: 'array', prefixItems: [{ type: 'string' }] },
      },
      required: ['pair'],
    },
  ),
  tool('test_schema_unknown_dialect', 'Takes a pair, described in a dialect of its own', () => text('accepted'), {
    $schema: 'https://example.com/no-such-dialect',
    type: 'object',
    properties: { pair: { type: 'array' } },
    required: ['pair'],
  }),
]
catalogue.push(
  ...dialectTools,
  ...taskTools,
  ...contentTools,
  ...toolChanges,
  ...resourceTools,
  ...promptTools,
  ...elicitationTools,
  ...samplingTools,
  ...loggingTools,
  ...progressTools,
  ...rootsTools,
)

const toolNamed = ({ name }: JsonObject, tools: Tools): JsonObject | undefined =>
  toolsOf(catalogue, tools).find(one => tools.policies.namesTool(name, String(one.definition.name)))?.definition

async function callTool(params: JsonObject, tools: Tools): Promise<Answer> {
  const { policies } = tools
  const found = toolsOf(catalogue, tools).find(one => policies.namesTool(params.name, String(one.definition.name)))
  if (found === undefined) return error(codes.invalidParams, `Unknown tool: ${String(params.name)}`)
  if (Object.hasOwn(params, 'arguments') && !isObject(params.arguments))
    return error(codes.invalidParams, 'arguments must be an object')
  const args = isObject(params.arguments) ? params.arguments : {}
  const problem = policies.argumentProblems(found.definition.inputSchema, args)
  if (problem !== undefined) return { ...text(`Invalid arguments: ${problem}`), isError: true }
  try {
    return await found.call(args, tools, params)
  } catch {
    return { ...text(`The tool ${String(params.name)} failed`), isError: true }
  }
}

export const features: FeatureTable<Feature> = {
  ping: { run: () => ({}) },
  'tools/list': {
    capability: 'tools',
    run: (params, tools) => {
      const listed = toolsOf(catalogue, tools).map(one => asListed(one.definition, tools))
      return list('tools', listed)(params, tools)
    },
  },
  'tools/call': { capability: 'tools', run: callable(callTool, toolNamed) },
  ...taskFeatures,
  ...resourceFeatures,
  'prompts/list': {
    capability: 'prompts',
    run: (params, tools) => {
      const listed = promptsOf(tools.session).map(one => one.definition)
      return list('prompts', listed)(params, tools)
    },
  },
  'prompts/get': { capability: 'prompts', run: getPrompt },
  'completion/complete': { capability: 'completions', run: complete },
  'logging/setLevel': { capability: 'logging', run: setLevel },
}
