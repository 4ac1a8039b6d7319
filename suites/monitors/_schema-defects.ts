/**
 * Shapes that break a clause of the schema in what a server lists and returns, by area: beyond the one example that stands
 * with each clause in clauses.json.
 */
import type { Json, JsonObject } from '../../src/suite/monitor.ts'
import { absent, answers, breaking, changes, greets, lists, type SchemaDefect } from './_shape-faults.ts'

const ROOT = { type: 'object' }

const TOOL = lists('tools/list', 'tools', { name: 'test_x', inputSchema: ROOT })
const LISTED_TOOLS = 'server/tools/definitions'
const SCHEMAS = 'server/tools/schemas'
const CALLED = 'server/tools/unknown-tool'
const call = answers('tools/call')
const block = (content: Json) => call({ content: [content] })

const TOOLS: SchemaDefect[] = [
  ...breaking('tools.tool.name-present', LISTED_TOOLS, TOOL, [
    ['missing', { name: absent, title: 'X' }],
    ['wrong-type', { name: 7 }],
  ]),
  ...breaking('tools.tool.name-present', LISTED_TOOLS, TOOL, [['wrong-type', 'test_x' as Json]], {
    also: ['tools.tool.optional-members'],
  }),
  ...breaking('tools.tool.optional-members', LISTED_TOOLS, TOOL, [
    ['wrong-type', { description: null }],
    ['wrong-type', { title: 5 }],
    ['wrong-type', { icons: {} }],
  ]),
  ...breaking('tools.tool.optional-members', LISTED_TOOLS, TOOL, [['wrong-type', { annotations: [] }]], {
    also: ['tools.annotations.types'],
  }),
  ...breaking('tools.tool.optional-members', LISTED_TOOLS, TOOL, [['wrong-type', { outputSchema: null }]], {
    also: ['tools.schema.output-root-type-object'],
  }),
  ...breaking('tools.tool.optional-members', LISTED_TOOLS, TOOL, [['wrong-type', { execution: 'optional' }]], {
    also: ['tools.execution.task-support-values'],
  }),
  ...breaking('tools.annotations.types', LISTED_TOOLS, TOOL, [
    ['wrong-type', { annotations: { readOnlyHint: 'true' } }],
    ['wrong-type', { annotations: { destructiveHint: null } }],
    ['wrong-type', { annotations: { title: ['X'] } }],
  ]),
  ...breaking('tools.execution.task-support-values', LISTED_TOOLS, TOOL, [
    ['wrong-type', { execution: { taskSupport: true } }],
    ['wrong-value', { execution: { taskSupport: 'never' } }],
  ]),
  ...breaking('tools.schema.input-root-type-object', SCHEMAS, TOOL, [
    ['missing', { inputSchema: {} }],
    ['missing', { inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' } }],
    ['missing', { inputSchema: { anyOf: [ROOT, ROOT] } }],
    ['missing', { inputSchema: { $ref: '#/$defs/a', $defs: { a: ROOT } } }],
    ['wrong-value', { inputSchema: { type: 'string' } }],
    ['wrong-type', { inputSchema: { type: ['object', 'null'] } }],
  ]),
  ...breaking('tools.schema.output-root-type-object', SCHEMAS, TOOL, [
    ['wrong-value', { outputSchema: { type: 'array' } }],
  ]),
  ...breaking('tools.schema.output-root-type-object', SCHEMAS, TOOL, [['wrong-type', { outputSchema: null }]], {
    also: ['tools.tool.optional-members'],
  }),
  ...breaking('tools.result.content-array', CALLED, call, [
    ['missing', { structuredContent: {} }],
    ['wrong-type', { content: 'done' }],
    ['wrong-type', { content: { type: 'text', text: '' } }],
    ['wrong-type', { content: null, structuredContent: {} }],
  ]),
  ...breaking('tools.result.is-error-boolean', CALLED, call, [
    ['wrong-type', { content: [], isError: 'false' }],
    ['wrong-type', { content: [], isError: null }],
  ]),
  ...breaking('tools.structured.is-object', CALLED, call, [
    ['wrong-type', { content: [], structuredContent: [1] }],
    ['wrong-type', { content: [], structuredContent: null }],
    ['wrong-type', { content: [], structuredContent: 'x' }],
    ['wrong-type', { content: [], structuredContent: 5 }],
  ]),
  ...breaking<Json>('tools.result.content-types', CALLED, block, [
    ['wrong-value', { type: 'json', json: {} }],
    ['missing', { text: 'x' }],
    ['wrong-type', 'done'],
  ]),
  ...breaking<Json>(
    'tools.result.content-types',
    CALLED,
    block,
    [['wrong-value', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]],
    { spec: '2024-11-05' },
  ),
  ...breaking<Json>(
    'tools.result.content-types',
    CALLED,
    block,
    [['wrong-value', { type: 'resource_link', uri: 'test://x', name: 'x' }]],
    { spec: '2025-03-26' },
  ),
]

const LISTED_PROMPTS = 'server/prompts/list'
const prompt = (entry: JsonObject) => answers('prompts/list')({ prompts: [entry] })
const withArgument = (argument: Json) => prompt({ name: 'x', arguments: [argument] })
const GOT = 'server/prompts/get'
const message = (one: JsonObject) => answers('prompts/get')({ messages: [one] })
const content = (one: Json) => message({ role: 'user', content: one })
const WORDS = { type: 'text', text: 'x' }

const PROMPTS: SchemaDefect[] = [
  ...breaking('prompts.prompt.name-present', LISTED_PROMPTS, prompt, [
    ['missing', { description: 'x' }],
    ['wrong-type', { name: 7 }],
    ['wrong-type', { name: null, title: 'x' }],
  ]),
  ...breaking('prompts.prompt.optional-members', LISTED_PROMPTS, prompt, [
    ['wrong-type', { name: 'x', description: null }],
    ['wrong-type', { name: 'x', description: ['x'] }],
    ['wrong-type', { name: 'x', title: 7 }],
    ['wrong-type', { name: 'x', icons: null }],
    ['wrong-type', { name: 'x', icons: {} }],
    ['wrong-type', { name: 'x', arguments: null }],
    ['wrong-type', { name: 'x', arguments: { code: { required: true } } }],
  ]),
  ...breaking<Json>('prompts.argument.shape', LISTED_PROMPTS, withArgument, [
    ['wrong-type', 'code'],
    ['missing', { description: 'the code' }],
    ['wrong-type', { name: 'code', required: 'true' }],
    ['wrong-type', { name: 'code', required: null }],
    ['wrong-type', { name: 'code', description: null }],
    ['wrong-type', { name: 'code', title: 1 }],
  ]),
  ...breaking('prompts.message.role', GOT, message, [
    ['wrong-value', { role: 'system', content: WORDS }],
    ['wrong-value', { role: 'User', content: WORDS }],
    ['wrong-value', { role: '', content: WORDS }],
    ['wrong-type', { role: null, content: WORDS }],
    ['missing', { content: WORDS }],
  ]),
  ...breaking<Json>('prompts.message.content-single', GOT, content, [
    ['wrong-type', [WORDS]],
    ['wrong-type', 'x'],
    ['wrong-type', null],
  ]),
  ...breaking<Json>('prompts.message.content-type', GOT, content, [
    ['missing', { text: 'x' }],
    ['wrong-value', { type: 'video', data: '' }],
    ['wrong-value', { type: 'tool_use', id: '1', name: 'x', input: {} }],
  ]),
  ...breaking<Json>(
    'prompts.message.content-type',
    GOT,
    content,
    [['wrong-value', { type: 'audio', data: '', mimeType: 'audio/wav' }]],
    { spec: '2024-11-05' },
  ),
  ...breaking<Json>(
    'prompts.message.content-type',
    GOT,
    content,
    [['wrong-value', { type: 'resource_link', uri: 'x:a', name: 'a' }]],
    { spec: '2025-03-26' },
  ),
  ...breaking<Json>('prompts.message.text', GOT, content, [
    ['missing', { type: 'text' }],
    ['wrong-type', { type: 'text', text: null }],
    ['wrong-type', { type: 'text', text: { value: 'x' } }],
  ]),
]

const LISTED = 'server/resources/listed'
const resource = lists('resources/list', 'resources', {})
const TEMPLATES = 'server/resources/templates'
const template = lists('resources/templates/list', 'resourceTemplates', {})
const READ = 'server/resources/read'
const contents = (sent: Json) => changes('resources/read')({ contents: sent })
const UPDATED = 'notifications/resources/updated'
const INITIALIZED = 'server/lifecycle/before-initialized'

const RESOURCES: SchemaDefect[] = [
  ...breaking<Json>('resources.resource.uri-present', LISTED, resource, [
    ['missing', { name: 'x' }],
    ['wrong-type', { uri: null, name: 'x' }],
  ]),
  ...breaking<Json>('resources.resource.uri-present', LISTED, resource, [['wrong-type', 'test://x']], {
    also: ['resources.resource.name-present', 'resources.resource.optional-members'],
  }),
  ...breaking<Json>('resources.resource.name-present', LISTED, resource, [
    ['missing', { uri: 'test://x' }],
    ['wrong-type', { uri: 'test://x', name: 7 }],
  ]),
  ...breaking<Json>(
    'resources.resource.optional-members',
    LISTED,
    resource,
    [
      { title: null },
      { description: ['a'] },
      { mimeType: null },
      { size: '12' },
      { annotations: [] },
      { icons: {} },
    ].map(members => ['wrong-type', { uri: 'test://x', name: 'x', ...members }] as const),
  ),
  ...breaking<Json>('resources.templates.shape', TEMPLATES, template, [
    ['missing', { uriTemplate: 'test://{x}' }],
    ['missing', { uri: 'test://{x}', name: 'x' }],
    ...[{ title: 7 }, { mimeType: null }, { description: {} }, { icons: 'x' }, { annotations: 'x' }].map(
      members => ['wrong-type', { uriTemplate: 'test://{x}', name: 'x', ...members }] as const,
    ),
  ]),
  ...breaking<Json>('resources.read.contents-shape', READ, contents, [
    ['wrong-type', { uri: 'test://x', text: 'x' }],
    ['missing', [{ uri: 'test://x' }]],
    ['missing', [{ text: 'x' }]],
    ['wrong-type', [{ uri: 'test://x', mimeType: null, text: 'x' }]],
  ]),
  ...breaking<Json>('resources.contents.blob', READ, contents, [['wrong-type', [{ uri: 'test://x', blob: [1, 2] }]]]),
  ...breaking<JsonObject | undefined>('resources.subscribe.update-has-uri', INITIALIZED, greets(UPDATED), [
    ['missing', {}],
    ['missing', undefined],
  ]),
]

const COMPLETED = 'server/completion/complete'
const completion = (sent: JsonObject) => answers('completion/complete')({ completion: sent })

const COMPLETION: SchemaDefect[] = [
  ...breaking('completion.result.values', COMPLETED, completion, [
    ['missing', { values: absent }],
    ['wrong-type', { values: null }],
    ['wrong-type', { values: 'paris' }],
    ['wrong-type', { values: [{ value: 'paris' }] }],
    ['wrong-type', { values: [null] }],
    ['wrong-type', { values: [1, 2] }],
    ['wrong-type', { values: { 0: 'paris' } }],
  ]),
  ...breaking('completion.result.total', COMPLETED, completion, [
    ['wrong-type', { values: [], total: '150' }],
    ['wrong-type', { values: [], total: null }],
  ]),
  ...breaking('completion.result.has-more', COMPLETED, completion, [
    ['wrong-type', { values: [], hasMore: 'false' }],
    ['wrong-type', { values: [], hasMore: null }],
    ['wrong-type', { values: [], hasMore: 0 }],
  ]),
]

const PAGINATION: SchemaDefect[] = [
  ...breaking('pagination.cursor.is-string', LISTED, changes('resources/list'), [
    ['wrong-type', { nextCursor: null }],
    ['wrong-type', { nextCursor: 2 }],
    ['wrong-type', { nextCursor: { offset: 2 } }],
    ['wrong-type', { nextCursor: true }],
  ]),
  ...breaking('pagination.cursor.is-string', 'server/base/tool-schemas', changes('tools/list'), [
    ['wrong-type', { nextCursor: null }],
  ]),
]

export const FEATURE_DEFECTS: SchemaDefect[] = [...TOOLS, ...PROMPTS, ...RESOURCES, ...COMPLETION, ...PAGINATION]
