/** Questions that every client has to cope with, one after the other while it waits for its tools. */
import {
  type Call,
  type ClientRun,
  isObject,
  type Json,
  type JsonObject,
  type Kind,
  type MessageFrame,
  type Reply,
  type RequestId,
  type ServerDouble,
  script,
  undone,
} from '../../../src/suite/client.ts'

export interface Questions {
  /** pings with ids of all kinds */
  pings: { named: string; id: RequestId; reply: Reply }[]
  unknown: { id: RequestId; reply: Reply }[]
  /** pings with one key in `_meta`; the first one has none */
  metas: { key: string | undefined; value: Json; reply: Reply }[]
  /** notifications, and what came before a ping behind each was answered */
  told: { method: string; heard: MessageFrame[]; barrier: Reply }[]
  /** requests without a required member; undefined: nothing was declared that could be asked */
  lacking: { method: string; reply: Reply } | undefined
}

const IDS: [named: string, id: RequestId][] = [
  ['a number', 7001],
  ['a string of digits', '7001'],
  ['a string with blanks and accents', 'a/b c-é'],
  ['the number 0', 0],
  ['a long string', 'x'.repeat(200)],
  ['the empty string', ''],
]

export const UNKNOWN_METHOD = 'x-conformance/does-not-exist'
/** Reserved by its second label and defined by nobody: a receiver must not conclude anything from its value. */
export const RESERVED_KEY = 'io.modelcontextprotocol/x-unknown'

const KEYS: [key: string | undefined, value: Json][] = [
  [undefined, null],
  ['trace', 'x'],
  ['com.example.x-1/trace_id-2.3', { span: 1 }],
  [RESERVED_KEY, 'text'],
  [RESERVED_KEY, 7],
  [RESERVED_KEY, null],
  [RESERVED_KEY, { nested: [true] }],
]

const NOTIFICATIONS: [method: string, params: JsonObject][] = [
  ['notifications/message', { level: 'info', data: 'a message of a test' }],
  ['notifications/x-conformance-unknown', {}],
  ['notifications/cancelled', { requestId: 'x-conformance-nothing', reason: 'a test' }],
]

/** Requests that lack what they are about; nobody can serve them. */
const LACKING: [capability: string, method: string][] = [
  ['sampling', 'sampling/createMessage'],
  ['elicitation', 'elicitation/create'],
]

export const QUESTIONS = script({
  drive: { name: 'initialize' },
  setup: () => ({ capabilities: { tools: {}, logging: {} } }),
  notes: (): Questions => ({ pings: [], unknown: [], metas: [], told: [], lacking: undefined }),
  play(server, notes) {
    let begun = false
    server.on('tools/list', async call => {
      // A client may list its tools again; once is enough for the questions.
      if (!begun) {
        begun = true
        await question(server, call, notes)
      }
      return { result: { tools: [] } }
    })
  },
})

/** A client that has fallen silent is not asked on: what it would have said is unknown. */
async function question(server: ServerDouble, call: Call, notes: Questions): Promise<void> {
  for (const [named, id] of IDS) {
    const reply = await call.ask('ping', undefined, { id })
    notes.pings.push({ named, id, reply })
    if (reply.kind === 'none') break
  }
  if (notes.pings[0]?.reply.kind === 'none') return
  for (const id of [7002, 'unknown-method-7002'])
    notes.unknown.push({ id, reply: await call.ask(UNKNOWN_METHOD, {}, { id }) })
  for (const [key, value] of KEYS) {
    const reply = await call.ask('ping', { _meta: key === undefined ? {} : { [key]: value } })
    notes.metas.push({ key, value, reply })
    if (reply.kind === 'none') break
  }
  for (const [method, params] of NOTIFICATIONS) {
    const mark = server.messages.length
    await call.notify(method, params)
    const barrier = await call.ask('ping', undefined, { id: `barrier behind ${method}` })
    // Over HTTP an answer has a request of its own, which may be overtaken.
    await server.pause(OVERTAKING_MS)
    notes.told.push({ method, heard: server.messages.slice(mark), barrier })
    if (barrier.kind === 'none') break
  }
  const offered = LACKING.find(([capability]) => isObject(call.conversation.capabilities[capability]))
  if (offered !== undefined)
    notes.lacking = { method: offered[1], reply: await call.ask(offered[1], {}, { intended: 'fault' }) }
}

const OVERTAKING_MS = 20

/** What is wrong with an answer that should have this id. */
export const idFault = (id: RequestId, reply: Reply): Kind =>
  'id' in reply && typeof reply.id === typeof id ? 'wrong-value' : 'wrong-type'

/** Why a question was not asked. */
export const unasked = (seen: ClientRun<Questions>): string =>
  seen.notes.pings.length === 0 ? undone(seen, 'list the tools') : 'the client had fallen silent before'
