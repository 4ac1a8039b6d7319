import {
  at,
  definitionOf,
  type Frame,
  idKey,
  isObject,
  isRequestId,
  isRevision,
  type Json,
  type JsonObject,
  type Judgement,
  judge,
  loadPlaceClauses,
  type MonitorContext,
  monitor,
  ourMessages,
  type Part,
  type PlaceClause,
  type Problem,
  problemsOf,
  type Revision,
  shapeOf,
  speaksOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite.ts'

const CLAUSES = loadPlaceClauses()

/** Shapes that other suites judge: a cause is reported once. */
const ELSEWHERE = [
  /(?:^|\.)_meta\b/, // monitors/meta-keys
  /^(?:result|params\.clientInfo)\b.*\.icons\b/, // monitors/icons
  /^(?:result|params)\.capabilities\.(?!tasks\.)/, // monitors/capabilities, monitors/client-capabilities
  /^result\.(?:protocolVersion|capabilities|serverInfo(?:\.name|\.version)?)$/, // server/lifecycle/handshake
  /^params\.(?:protocolVersion|capabilities|clientInfo(?:\.name|\.version)?)$/, // client/lifecycle/opens
]

/** Where a client is asked that. */
const ASKED_ON: Record<string, string> = {
  'roots/list': 'client/roots/answers',
  'sampling/createMessage': 'client/sampling/plain',
  'elicitation/create': 'client/elicitation/plain',
}

interface Asked {
  method: string
  /** it asks to become a task */
  augmented: boolean
  /** tasks/result: the method of the request that became the task */
  original?: string | undefined
}

interface State {
  context: MonitorContext
  /** requests of ours, by id key */
  asked: Map<string, Asked>
  /** the method of the request that became a task, by the id of the task */
  tasks: Map<string, string>
  judged: Set<string>
  heard: boolean
}

/** A message as it is validated, and how to speak of it. */
interface Subject {
  definition: string
  value: Json
  /** what stands before the places of its problems */
  root: 'result' | ''
  method: string
  called: string
}

/** The shape of everything that the target sends, by the revision that was negotiated. */
export default monitor<string, State>({
  title: 'Every message has the shape that the schema gives to its method',
  sides: ['server', 'client'],
  claims: {
    valid: 'schema.messages.valid',
    ...Object.fromEntries(CLAUSES.map(({ requirement }) => [requirement, requirement])),
  },
  start: context => ({ context, asked: new Map(), tasks: new Map(), judged: new Set(), heard: false }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) remember(state, message)
    for (const message of theirMessages(frame)) {
      if (!isObject(message) || message.jsonrpc !== '2.0') continue
      state.heard = true
      const revision = state.context.revision()
      for (const subject of subjectsOf(state, revision, message)) {
        for (const judgement of judgeShape(revision, state.context.role, subject, frame)) {
          state.judged.add(judgement.claim)
          yield judgement
        }
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
      replace: client => ({ taskCalls: { ...client.taskCalls, target: id => ({ id }) } }),
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
      on: ASKED_ON['sampling/createMessage'] as string,
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

function remember(state: State, message: Json): void {
  if (shapeOf(message) !== 'request') return
  const method = textAt(message, 'method') ?? ''
  const original = method === 'tasks/result' ? state.tasks.get(textAt(message, 'params', 'taskId') ?? '') : undefined
  state.asked.set(idKey(at(message, 'id')), {
    method,
    augmented: at(message, 'params', 'task') !== undefined,
    original,
  })
}

/** What of a message can be validated: nothing where its envelope is broken, its method unknown, or its request not ours. */
function subjectsOf(state: State, revision: Revision, message: JsonObject): Subject[] {
  const kind = shapeOf(message)
  const { id, method } = message
  const { role } = state.context
  if (kind === 'request' || kind === 'notification') {
    if (typeof method !== 'string' || (kind === 'request' && !isRequestId(id))) return []
    if (message.params !== undefined && !isObject(message.params)) return []
    const called = kind === 'request' ? `the request ${method}` : method
    return subject(definitionOf(revision, role, method, kind), message, '', method, called)
  }
  if (kind === 'error') {
    // Errors have a monitor of their own; only those that say more than others are looked at here.
    const code = String(at(message, 'error', 'code'))
    return subject(definitionOf(revision, role, code, 'error'), message, '', code, `the error ${code}`)
  }
  const asked = state.asked.get(idKey(id))
  if (asked === undefined || !isObject(message.result)) return []
  const version = message.result.protocolVersion
  // What a version that we do not know looks like is not ours to say.
  if (asked.method === 'initialize' && typeof version === 'string' && !isRevision(version)) return []
  const part: Part = asked.augmented && message.result.task !== undefined ? 'task' : 'result'
  const taskId = textAt(message, 'result', 'task', 'taskId')
  if (part === 'task' && taskId !== undefined) state.tasks.set(taskId, asked.method)
  const asker = role === 'server' ? 'client' : 'server'
  const definition = definitionOf(revision, asker, asked.original ?? asked.method, part)
  return subject(definition, message.result, 'result', asked.original ?? asked.method, `the answer to ${asked.method}`)
}

const subject = (
  definition: string | undefined,
  value: Json,
  root: Subject['root'],
  method: string,
  called: string,
): Subject[] => (definition === undefined ? [] : [{ definition, value, root, method, called }])

/** Each clause whose place is there holds, unless a problem says otherwise. */
function judgeShape(
  revision: Revision,
  role: MonitorContext['role'],
  { definition, value, root, method, called }: Subject,
  frame: Frame,
): Judgement<string>[] {
  const problems = problemsOf(revision, definition, value)
    .map(problem => ({ ...problem, place: placed(root, problem.place) }))
    .filter(problem => !ELSEWHERE.some(place => place.test(problem.place)))
  const judgements = problems.map(problem => report(claimFor(role, method, problem), problem, called, frame))
  const broken = new Set(judgements.map(({ claim }) => claim))
  const whole = root === '' ? value : { [root]: value }
  const present = CLAUSES.filter(
    clause => clause.from === role && clause.method === method && isThere(whole, stepsOf(clause)),
  )
  const sound = ['valid', ...present.map(({ requirement }) => requirement)].filter(claim => !broken.has(claim))
  return [...judgements, ...sound.map(claim => judge(claim, true, `${called} in the shape of ${definition}`, frame))]
}

const placed = (root: string, place: string): string =>
  [root, place].filter(part => part !== '').join(place.startsWith('[') ? '' : '.')

const claimFor = (role: MonitorContext['role'], method: string, problem: Problem): string =>
  CLAUSES.find(clause => clause.from === role && speaksOf(clause, method, problem.place))?.requirement ?? 'valid'

function report(
  claim: string,
  { place, expected, got, open }: Problem,
  called: string,
  frame: Frame,
): Judgement<string> {
  const because = open === undefined ? '' : ` (${open})`
  const where = place === '' ? called : `${place} in ${called}`
  return judge(claim, open === undefined ? 'breaks' : 'bends', `${where} to be ${expected}`, {
    text: `${got}${because}`,
    frames: [frame],
  })
}

const stepsOf = (clause: PlaceClause): string[] => clause.at.replace('*', '').replaceAll('[]', '.[]').split('.')

function isThere(value: Json | undefined, [step, ...rest]: string[]): boolean {
  if (step === undefined) return value !== undefined
  if (step === '[]') return Array.isArray(value) && value.some(one => isThere(one, rest))
  return isThere(at(value, step), rest)
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
