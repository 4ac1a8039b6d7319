import {
  type ClientReplacement,
  type Exchanges,
  failure,
  isObject,
  type JsonObject,
  judgeShapes,
  loadPlaceClauses,
  type MonitorContext,
  monitor,
  noExchanges,
  notification,
  ourMessages,
  type PlaceClause,
  remember,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'
import { CLIENT_DEFECTS, CLIENT_VARIANTS } from './_schema-client-defects.ts'
import { FEATURE_DEFECTS } from './_schema-defects.ts'
import { MESSAGE_DEFECTS } from './_schema-message-defects.ts'
import { SERVER_VARIANTS } from './_schema-variants.ts'
import { answersFirst, changes, type SchemaDefect, says } from './_shape-faults.ts'

const CLAUSES = loadPlaceClauses()

/** Where an answer to that is seen; other messages are said before the answer to a ping. */
const SEEN_ON: Partial<Record<PlaceClause['from'], Record<string, string>>> = {
  server: {
    'result.task.status': 'server/tasks/creation',
    'tasks/get': 'server/tasks/results',
    'tasks/list': 'server/tasks/listing',
    'tasks/cancel': 'server/tasks/cancellation',
  },
  client: {
    'roots/list': 'client/roots/answers',
    'sampling/createMessage': 'client/sampling/plain',
    'elicitation/create': 'client/elicitation/plain',
    'result.task.status': 'client/tasks/creation',
    'tasks/get': 'client/tasks/results',
    'tasks/list': 'client/tasks/listing',
    'tasks/cancel': 'client/tasks/cancellation',
  },
}

interface State extends Exchanges {
  context: MonitorContext
}

/** The shape of everything that the target sends, by the revision that was negotiated. */
export default monitor<string, State>({
  title: 'Every message has the shape that the schema gives to its method',
  sides: ['server', 'client'],
  unseen: 'n/a',
  claims: {
    valid: 'schema.messages.valid',
    ...Object.fromEntries(
      CLAUSES.flatMap(({ requirement, also = [] }) => [requirement, ...also].map(one => [one, one])),
    ),
  },
  start: context => ({ ...noExchanges(), context }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) remember(state, message)
    for (const message of theirMessages(frame))
      if (isObject(message) && message.jsonrpc === '2.0') yield* judgeShapes(state, state.context, message, frame)
  },
  defects: [
    ...CLAUSES.map(breaking),
    ...FEATURE_DEFECTS,
    ...MESSAGE_DEFECTS,
    ...CLIENT_DEFECTS,
    {
      named: 'asks for a task by id',
      on: 'client/tasks/follows',
      breaks: 'valid',
      kind: 'missing',
      replace: (client => ({
        taskCalls: { ...client.taskCalls, target: id => ({ id }) },
      })) satisfies ClientReplacement,
    },
    {
      named: 'a client that calls a tool without a name',
      on: 'client/ping/answers',
      breaks: 'valid',
      kind: 'missing',
      ...answersFirst('tools/call')({ arguments: {} }),
    },
    {
      named: 'a client with a number as title',
      on: 'client/ping/answers',
      breaks: 'valid',
      kind: 'wrong-type',
      replace: { clientInfo: () => ({ name: 'a', version: '1', title: 1 }) },
    },
    {
      named: 'a list of tools without the list',
      on: 'server/schema/tour',
      breaks: 'valid',
      kind: 'missing',
      tamper: tampers.result('tools/list', () => ({})),
    },
    {
      named: 'a server with a number as title',
      on: 'server/ping/answers',
      breaks: 'valid',
      kind: 'wrong-type',
      replace: { serverInfo: { name: 'a', version: '1', title: 1 } },
    },
    {
      named: 'an error -32042 without elicitations',
      on: 'server/schema/tour',
      breaks: 'valid',
      kind: 'missing',
      tamper: tampers.answer('tools/call', ({ id = null }) => failure(id, -32042, 'Go there first', {})),
    },
    {
      named: 'a fault inside a batch, in 2025-03-26',
      on: 'server/ping/answers',
      breaks: 'logging.levels.values',
      kind: 'wrong-value',
      spec: '2025-03-26',
      tamper: tampers.json((message, cause) =>
        cause?.method === 'ping'
          ? [notification('notifications/message', { level: 'WARN', data: 1 }), message]
          : message,
      ),
    },
  ],
  variants: [
    ...SERVER_VARIANTS,
    ...CLIENT_VARIANTS,
    {
      named: 'a client with members that nobody knows, and messages of its own',
      on: 'client/ping/answers',
      shows: ['valid'],
      tamper: tampers.message(message =>
        message.method === 'tools/list'
          ? [notification('notifications/com.example/news', { x: [] }), { ...message, params: { extra: 1 } }]
          : message,
      ),
    },
    {
      named: 'members that nobody knows, and messages of its own',
      on: 'server/schema/tour',
      shows: ['valid'],
      tamper: tampers.answer('tools/list', message => [
        notification('notifications/com.example/news', { x: [] }),
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

/** The example that stands with the clause is put into the answer, or said by the side itself. */
function breaking({
  from,
  method,
  at: place,
  requirement,
  also = [],
  broken,
  shows,
  verdict,
}: PlaceClause): SchemaDefect {
  const isAnswer = place.startsWith('result')
  const tour = from === 'server' && isAnswer ? 'server/schema/tour' : `${from}/ping/answers`
  return {
    named: `${method} ${from === 'client' ? 'of a client ' : ''}with ${JSON.stringify(broken) ?? 'nothing'}`,
    on: SEEN_ON[from]?.[place] ?? (isAnswer ? SEEN_ON[from]?.[method] : undefined) ?? tour,
    breaks: requirement,
    also: [...also],
    kind: shows,
    ...(verdict === undefined ? {} : { verdict }),
    ...putting(method, place, broken as JsonObject | undefined),
  }
}

function putting(method: string, place: string, broken: JsonObject | undefined) {
  const isAnswer = place.startsWith('result')
  if (method === 'initialize') return isAnswer ? changes(method)(broken ?? {}) : says(method)(broken ?? {})
  if (!isAnswer) return answersFirst(method)(broken)
  // Only what is asked for as a task is answered by one.
  const fits = (result: JsonObject): boolean => !place.startsWith('result.task.') || result.task !== undefined
  return { tamper: tampers.result(method, result => (fits(result) ? (broken ?? {}) : result)) }
}
