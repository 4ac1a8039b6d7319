/** Legal messages of other forms than those of the reference, by area: each of these clauses holds there. */
import { isObject, type JsonObject, tampers } from '../../src/suite/monitor.ts'
import { answers, changes, greets, lists, type SchemaVariant, says } from './_shape-faults.ts'

const tool = lists('tools/list', 'tools', { name: 'test_x', inputSchema: { type: 'object' } })
const call = { on: 'server/tools/unknown-tool', with: answers('tools/call') }

const TOOLS: SchemaVariant[] = [
  {
    named: 'a tool with all members, and some of its own',
    on: 'server/tools/definitions',
    shows: ['tools.tool.optional-members', 'tools.annotations.types', 'tools.execution.task-support-values'],
    ...tool({
      annotations: { title: 'X', readOnlyHint: true, openWorldHint: false, 'x-own': 1 },
      execution: { taskSupport: 'optional' },
      icons: [],
      'x-own': null,
    }),
  },
  {
    named: 'execution and icons of its own, before the revision that defines them',
    on: 'server/tools/definitions',
    spec: '2025-06-18',
    shows: ['tools.tool.optional-members'],
    ...tool({ execution: 'fast', icons: 'x.png' }),
  },
  {
    named: 'a result with all members, and some of its own',
    on: call.on,
    shows: ['tools.result.content-array', 'tools.result.is-error-boolean', 'tools.structured.is-object'],
    ...call.with({ content: [], isError: false, structuredContent: {}, 'x-own': 1 }),
  },
  {
    named: 'a result that has nothing to say',
    on: call.on,
    shows: ['tools.result.content-array', 'tools.result.is-error-boolean'],
    ...call.with({ content: [] }),
  },
  {
    named: 'content of every type',
    on: call.on,
    shows: ['tools.result.content-types'],
    ...call.with({
      content: [
        { type: 'text', text: '', annotations: { audience: ['user'], priority: 0, lastModified: '2025-01-01' } },
        { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml; charset=utf-8' },
        { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'test:x', name: '', title: 'X', size: 0, icons: [] },
        { type: 'resource', resource: { uri: 'file:///x', blob: '' } },
      ],
    }),
  },
]

const prompt = (entry: JsonObject) => answers('prompts/list')({ prompts: [entry] })
const message = (one: JsonObject) => answers('prompts/get')({ messages: [one] })

const PROMPTS: SchemaVariant[] = [
  {
    named: 'a prompt with all members, and some of its own',
    on: 'server/prompts/list',
    shows: ['prompts.prompt.name-present', 'prompts.prompt.optional-members', 'prompts.argument.shape'],
    ...prompt({
      name: 'x',
      title: '',
      description: '',
      icons: [],
      arguments: [{ name: 'code', title: 'Code', description: '', required: false, type: 'string' }],
      _meta: {},
      tags: null,
    }),
  },
  {
    named: 'a prompt with members that a later revision defines',
    on: 'server/prompts/list',
    spec: '2025-03-26',
    shows: ['prompts.prompt.optional-members'],
    ...prompt({ name: 'x', title: { en: 'X' }, icons: 'x.png', arguments: [] }),
  },
  { named: 'no prompt at all', on: 'server/prompts/list', ...answers('prompts/list')({ prompts: [] }) },
  {
    named: 'a message with an empty text and all annotations',
    on: 'server/prompts/get',
    shows: [
      'prompts.message.role',
      'prompts.message.content-single',
      'prompts.message.content-type',
      'prompts.message.text',
    ],
    ...message({
      role: 'assistant',
      content: { type: 'text', text: '', annotations: { audience: [], priority: 0, lastModified: '2025-11-25' } },
    }),
  },
  {
    named: 'a link in a prompt',
    on: 'server/prompts/get',
    shows: ['prompts.message.content-type'],
    ...message({ role: 'user', content: { type: 'resource_link', uri: 'test://x', name: 'x' } }),
  },
  { named: 'no message in a prompt', on: 'server/prompts/get', ...answers('prompts/get')({ messages: [] }) },
]

const resource = lists('resources/list', 'resources', {})

const RESOURCES: SchemaVariant[] = [
  {
    named: 'a resource with all members, and one of its own',
    on: 'server/resources/listed',
    shows: ['resources.resource.uri-present', 'resources.resource.name-present', 'resources.resource.optional-members'],
    ...resource({
      uri: 'x-notes+v2.1:today?part=%C3%A9#top',
      name: '',
      title: 'Today',
      description: '',
      mimeType: 'inode/directory',
      size: 0,
      annotations: {},
      icons: [],
      'x-own': 1,
    }),
  },
  {
    named: 'a title of any type, where the revision knew none',
    on: 'server/resources/listed',
    spec: '2025-03-26',
    ...resource({ uri: 'test://x', name: 'x', title: { en: 'X' } }),
  },
  {
    named: 'a template with all operators, and all members',
    on: 'server/resources/templates',
    shows: ['resources.templates.shape'],
    ...lists(
      'resources/templates/list',
      'resourceTemplates',
      {},
    )({
      uriTemplate: 'test://h{/a,b*}{;c}{?q,n:3}{&more}{+rest}{#end}',
      name: '',
      title: 'All',
      description: '',
      mimeType: 'text/plain',
      annotations: { priority: 1 },
      icons: [],
    }),
  },
  {
    named: 'contents of other URIs, empty ones among them',
    on: 'server/resources/read',
    shows: ['resources.read.contents-shape', 'resources.contents.blob'],
    ...changes('resources/read')({
      contents: [
        { uri: 'test://x/1', text: '' },
        { uri: 'test://x/2', mimeType: 'inode/directory', text: 'a \ufffd in a text', _meta: {} },
        { uri: 'test://x/3', blob: '', 'x-own': 1 },
        { uri: 'test://x/4', blob: '++//' },
      ],
    }),
  },
]

const log = greets('notifications/message')
const progress = (on: string, rewrite: (params: JsonObject) => JsonObject) => ({
  on,
  tamper: tampers.message(one =>
    one.method === 'notifications/progress' && isObject(one.params) ? { ...one, params: rewrite(one.params) } : one,
  ),
})

const MESSAGES: SchemaVariant[] = [
  {
    named: 'all members of a completion',
    on: 'server/completion/complete',
    shows: ['completion.result.values', 'completion.result.total', 'completion.result.has-more'],
    ...answers('completion/complete')({ completion: { values: ['a'], total: 100_000, hasMore: true } }),
  },
  ...[
    { level: 'debug', data: null },
    { level: 'alert', data: 0, logger: '' },
    { level: 'emergency', data: { error: 'hello' }, logger: 'core' },
  ].map(params => ({
    named: `logs ${JSON.stringify(params)}`,
    on: 'server/lifecycle/before-initialized',
    shows: [
      'logging.message.level',
      'logging.levels.values',
      'logging.message.data',
      'logging.message.logger-optional',
    ],
    ...log(params),
  })),
  ...['server/progress/reports', 'client/progress/reports'].flatMap(on => [
    {
      named: 'fractions of progress, a total that is passed, and a message',
      shows: ['progress.notify.progress-number', 'progress.notify.total-optional', 'progress.notify.message-optional'],
      ...progress(on, params => ({
        ...params,
        progress: Number(params.progress) / 30,
        total: 1.5,
        message: 'Reading',
      })),
    },
    {
      named: 'progress below zero, without a total and a message',
      shows: ['progress.notify.progress-number', 'progress.notify.total-optional', 'progress.notify.message-optional'],
      ...progress(on, ({ progressToken = null, progress: value }) => ({
        progressToken,
        progress: Number(value) - 100,
      })),
    },
  ]),
  {
    named: 'an empty form',
    on: 'server/elicitation/form',
    shows: ['elicitation.request.message', 'elicitation.form.requested-schema'],
    ...says('elicitation/create')({ requestedSchema: { type: 'object', properties: {} } }),
  },
  {
    named: 'a page of its own',
    on: 'server/elicitation/by-url',
    shows: ['elicitation.url.request-members', 'elicitation.url.valid-url'],
    replace: {},
  },
  { named: 'asks with tools', on: 'server/sampling/with-tools', shows: ['sampling.request.shape'], replace: {} },
  {
    named: 'asks with everything there is',
    on: 'server/sampling/plain',
    shows: ['sampling.request.shape'],
    ...says('sampling/createMessage')({
      messages: [
        { role: 'assistant', content: { type: 'image', data: '', mimeType: 'image/png' } },
        { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      ],
      modelPreferences: {
        hints: [{ name: 'sonnet' }, {}],
        costPriority: 0,
        speedPriority: 0.5,
        intelligencePriority: 1,
      },
      systemPrompt: 'Be short.',
      temperature: 0.1,
      stopSequences: ['END'],
      metadata: { provider: 'any' },
      includeContext: 'none',
    }),
  },
]

const TASKS: SchemaVariant[] = [
  {
    named: 'tasks of all kinds, and of others to come',
    on: 'server/lifecycle/handshake',
    shows: ['tasks.capability.shape'],
    replace: { capabilities: { tools: {}, tasks: { list: {}, watch: {}, requests: { tools: { call: { x: 1 } } } } } },
  },
  {
    named: 'tasks of a client, with members that nobody knows',
    on: 'client/lifecycle/opens',
    shows: ['tasks.capability.shape'],
    replace: {
      capabilities: () => ({
        tasks: { list: {}, requests: { sampling: { createMessage: {} }, 'x-own': {} }, 'x-own': true },
      }),
    },
  },
  { named: 'tasks of the reference', on: 'server/tasks/cancellation', shows: ['tasks.status.values'], replace: {} },
  { named: 'tasks of the reference', on: 'client/tasks/cancellation', shows: ['tasks.status.values'], replace: {} },
  ...['server', 'client'].map(side => ({
    named: 'tells of its tasks',
    on: `${side}/tasks/polling`,
    shows: ['tasks.status.notification-full-task'],
    replace: {},
  })),
]

export const SERVER_VARIANTS: SchemaVariant[] = [...TOOLS, ...PROMPTS, ...RESOURCES, ...MESSAGES, ...TASKS]
