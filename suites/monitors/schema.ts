import {
  type ClientReplacement,
  type Exchanges,
  isObject,
  type JsonObject,
  judge,
  judgeShapes,
  loadPlaceClauses,
  type MonitorContext,
  monitor,
  noExchanges,
  ourMessages,
  type PlaceClause,
  remember,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

const CLAUSES = loadPlaceClauses()

/** Where a client is asked that. */
const ASKED_ON: Record<string, string> = {
  'roots/list': 'client/roots/answers',
  'sampling/createMessage': 'client/sampling/plain',
  'elicitation/create': 'client/elicitation/plain',
}

interface State extends Exchanges {
  context: MonitorContext
  judged: Set<string>
  heard: boolean
}

/** The shape of everything that the target sends, by the revision that was negotiated. */
export default monitor<string, State>({
  title: 'Every message has the shape that the schema gives to its method',
  sides: ['server', 'client'],
  claims: {
    valid: 'schema.messages.valid',
    ...Object.fromEntries(CLAUSES.map(({ requirement }) => [requirement, requirement])),
  },
  start: context => ({ ...noExchanges(), context, judged: new Set(), heard: false }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) remember(state, message)
    for (const message of theirMessages(frame)) {
      if (!isObject(message) || message.jsonrpc !== '2.0') continue
      state.heard = true
      for (const judgement of judgeShapes(state, state.context, message, frame)) {
        state.judged.add(judgement.claim)
        yield judgement
      }
    }
  },
  *end(state) {
    if (!state.heard) return
    const ofSide = CLAUSES.filter(({ from }) => from === state.context.role)
    for (const requirement of new Set(ofSide.map(clause => clause.requirement))) {
      if (!state.judged.has(requirement))
        yield judge(requirement, 'n/a', 'something that it is about', {
          text: 'nothing of the kind was sent',
          frames: [],
        })
    }
  },
  defects: [
    ...CLAUSES.filter(({ from }) => from === 'client').map(clause => ({
      named: `${clause.method} of a client with ${JSON.stringify(clause.broken)}`,
      on: ASKED_ON[clause.method] ?? 'client/ping/answers',
      breaks: clause.requirement,
      tamper: clause.method === 'initialize' ? introducing(clause.broken as JsonObject) : breaking(clause),
    })),
    {
      named: 'asks for a task by id',
      on: 'client/tasks/follows',
      breaks: 'valid',
      replace: (client => ({
        taskCalls: { ...client.taskCalls, target: id => ({ id }) },
      })) satisfies ClientReplacement,
    },
    {
      named: 'a client that calls a tool without a name',
      on: 'client/ping/answers',
      breaks: 'valid',
      tamper: said('tools/call', { arguments: {} }),
    },
    {
      named: 'a client with a number as title',
      on: 'client/ping/answers',
      breaks: 'valid',
      replace: { clientInfo: () => ({ name: 'a', version: '1', title: 1 }) },
    },
    {
      named: 'a list of answers to one question of 2025-06-18',
      on: ASKED_ON['sampling/createMessage'] ?? 'client/sampling/plain',
      breaks: 'sampling.result.content-types',
      spec: '2025-06-18',
      tamper: tampers.result('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'x' }],
      })),
    },
    ...CLAUSES.filter(({ from }) => from === 'server').map(clause => ({
      named: `${clause.method} with ${JSON.stringify(clause.broken)}`,
      on: clause.at.startsWith('result') ? 'server/schema/tour' : 'server/ping/answers',
      breaks: clause.requirement,
      tamper: breaking(clause),
    })),
    {
      named: 'a list of tools without the list',
      on: 'server/schema/tour',
      breaks: 'valid',
      tamper: tampers.result('tools/list', () => ({})),
    },
    {
      named: 'a server with a number as title',
      on: 'server/ping/answers',
      breaks: 'valid',
      replace: { serverInfo: { name: 'a', version: '1', title: 1 } },
    },
    {
      named: 'an audio block in 2024-11-05',
      on: 'server/schema/tour',
      breaks: 'tools.result.content-types',
      spec: '2024-11-05',
      tamper: tampers.result('tools/call', () => ({ content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] })),
    },
    {
      named: 'a link to a resource in 2025-03-26',
      on: 'server/schema/tour',
      breaks: 'prompts.message.content-type',
      spec: '2025-03-26',
      tamper: tampers.result('prompts/get', () => ({
        messages: [{ role: 'user', content: { type: 'resource_link', uri: 'x:a', name: 'a' } }],
      })),
    },
    {
      named: 'a question with a choice of several in 2025-06-18',
      on: 'server/ping/answers',
      breaks: 'elicitation.form.requested-schema',
      spec: '2025-06-18',
      tamper: said('elicitation/create', {
        message: 'Which?',
        requestedSchema: {
          type: 'object',
          properties: { a: { type: 'array', items: { type: 'string', enum: ['x'] } } },
        },
      }),
    },
    {
      named: 'an error -32042 without elicitations',
      on: 'server/schema/tour',
      breaks: 'valid',
      tamper: tampers.answer('tools/call', ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32042, message: 'Go there first', data: {} },
      })),
    },
    {
      named: 'a fault inside a batch, in 2025-03-26',
      on: 'server/ping/answers',
      breaks: 'logging.levels.values',
      spec: '2025-03-26',
      tamper: tampers.json((message, cause) =>
        cause?.method === 'ping'
          ? [{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'WARN', data: 1 } }, message]
          : message,
      ),
    },
  ],
  variants: [
    {
      named: 'a client with members that nobody knows, and messages of its own',
      on: 'client/ping/answers',
      shows: ['valid'],
      tamper: tampers.message(message =>
        message.method === 'tools/list'
          ? [
              { jsonrpc: '2.0', method: 'notifications/com.example/news', params: { x: [] } },
              { ...message, params: { extra: 1 } },
            ]
          : message,
      ),
    },
    {
      named: 'members that nobody knows, and messages of its own',
      on: 'server/schema/tour',
      shows: ['valid'],
      tamper: tampers.answer('tools/list', message => [
        { jsonrpc: '2.0', method: 'notifications/com.example/news', params: { x: [] } },
        {
          ...message,
          result: { tools: [{ name: 'a', inputSchema: { type: 'object', oneOf: [] }, extra: 1 }], more: 1 },
        },
      ]),
    },
    {
      named: 'members that a later revision defines otherwise',
      on: 'server/schema/tour',
      spec: '2024-11-05',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'a', inputSchema: { type: 'object' }, title: 1, annotations: 'x', outputSchema: [], _meta: 1 }],
      })),
    },
    {
      named: 'fractions where only schema.json wants integers',
      on: 'server/schema/tour',
      bends: ['resources.resource.optional-members'],
      tamper: tampers.result('resources/list', () => ({ resources: [{ uri: 'x:a', name: 'a', size: 1.5 }] })),
    },
  ],
})

/** A client that introduces itself so. */
function introducing(params: JsonObject) {
  return tampers.message(message => (message.method === 'initialize' ? { ...message, params } : message))
}

/** Puts what breaks the clause into the answer, or lets the side say it. */
function breaking({ method, at: place, broken }: PlaceClause) {
  const json = broken as JsonObject
  if (method === 'initialize') return tampers.result(method, result => ({ ...result, ...json }))
  return place.startsWith('result') ? tampers.result(method, () => json) : said(method, json)
}

/** Something is said before a ping is answered. */
function said(method: string, params: JsonObject) {
  const id = method.startsWith('notifications/') ? {} : { id: `said-${method}` }
  return tampers.answer('ping', message => [{ jsonrpc: '2.0', ...id, method, params }, message])
}
