import {
  at,
  type Fault,
  isObject,
  isRequestId,
  type Json,
  judge,
  monitor,
  RELATED_TASK,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'
import { keyRules } from './_meta-key-rules.ts'

/** A value that is wrong is shown up to this length. */
const SHOWN = 160

/** Members of params and results that hold things with a `_meta` of their own; data of users is not searched. */
const PLACES = new Set([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'contents',
  'content',
  'messages',
  'resource',
  'roots',
])

const CLAIMS = {
  object: 'base.meta.is-object',
  prefix: 'base.meta.prefix-format',
  labelStart: 'base.meta.label-starts-with-letter',
  labelEnd: 'base.meta.label-ends-with-letter-or-digit',
  labelInside: 'base.meta.label-interior',
  nameStart: 'base.meta.name-starts-alphanumeric',
  nameEnd: 'base.meta.name-ends-alphanumeric',
  nameInside: 'base.meta.name-interior',
  reserved: 'base.meta.reserved-prefix',
  reservedBefore: 'base.meta.reserved-prefix-old-rule',
  typed: 'base.meta.schema-reserved-names',
} as const
type Claim = keyof typeof CLAIMS

/** Where answers to a ping are seen, of either side. */
const SIDES = ['server/ping/answers', 'client/ping/answers']

/** A key has two parts, an optional prefix (labels with dots between them, then a slash) and a name. */
export default monitor({
  title: 'Every _meta is an object whose keys have the prescribed form',
  sides: ['server', 'client'],
  claims: CLAIMS,
  unseen: 'n/a',
  start: () => undefined,
  *see(_state, frame) {
    for (const message of theirMessages(frame))
      for (const [place, meta] of metasIn(message))
        for (const [claim, holds, expected, text, fault] of rulesFor(place, meta, shapeOf(message) === 'request'))
          yield judge(claim, holds, expected, { text: text.slice(0, SHOWN), frames: [frame] }, fault)
  },
  defects: [
    ...SIDES.flatMap(on => [
      { named: 'a list', on, breaks: 'object' as const, kind: 'wrong-type' as const, tamper: withMeta(['a']) },
      { named: 'null', on, breaks: 'object' as const, kind: 'wrong-type' as const, tamper: withMeta(null) },
      {
        named: 'an empty prefix',
        on,
        breaks: 'prefix' as const,
        kind: 'malformed' as const,
        tamper: withKey('/trace'),
      },
      {
        named: 'an empty label',
        on,
        breaks: 'prefix' as const,
        kind: 'malformed' as const,
        tamper: withKey('com..example/trace'),
      },
      {
        named: 'a digit first',
        on,
        breaks: 'labelStart' as const,
        kind: 'malformed' as const,
        tamper: withKey('com.1example/trace'),
      },
      {
        named: 'a hyphen last',
        on,
        breaks: 'labelEnd' as const,
        kind: 'malformed' as const,
        tamper: withKey('com.example-/trace'),
      },
      {
        named: 'an underscore',
        on,
        breaks: 'labelInside' as const,
        kind: 'malformed' as const,
        tamper: withKey('com.ex_ample/trace'),
      },
      {
        named: 'an underscore first',
        on,
        breaks: 'nameStart' as const,
        kind: 'malformed' as const,
        tamper: withKey('_trace'),
      },
      {
        named: 'an underscore last',
        on,
        breaks: 'nameEnd' as const,
        kind: 'malformed' as const,
        tamper: withKey('trace_'),
      },
      {
        named: 'a second slash',
        on,
        breaks: 'nameInside' as const,
        kind: 'malformed' as const,
        tamper: withKey('com.example/a/b'),
      },
      { named: 'a colon', on, breaks: 'nameInside' as const, kind: 'malformed' as const, tamper: withKey('trace:id') },
      {
        named: 'a prefix of MCP',
        on,
        breaks: 'reserved' as const,
        kind: 'wrong-value' as const,
        tamper: withKey('com.mcp.tools/x'),
      },
      {
        named: 'a name of its own under the prefix of MCP',
        on,
        breaks: 'reserved' as const,
        kind: 'wrong-value' as const,
        tamper: withKey('io.modelcontextprotocol/x-own'),
      },
      {
        named: 'a prefix that was reserved then',
        on,
        breaks: 'reservedBefore' as const,
        kind: 'wrong-value' as const,
        spec: '2025-06-18' as const,
        tamper: withKey('tools.mcp.com/x'),
      },
      {
        named: 'a related task without taskId',
        on,
        breaks: 'typed' as const,
        kind: 'missing' as const,
        tamper: withMeta({ [RELATED_TASK]: { id: 'x' } }),
      },
    ]),
    {
      named: 'a text in a listed tool',
      on: 'server/base/tool-schemas',
      breaks: 'object',
      kind: 'wrong-type',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { type: 'object' }, _meta: 'x' }],
      })),
    },
    {
      named: 'a progress token that is no integer',
      on: 'server/lifecycle/before-initialized',
      breaks: 'typed',
      kind: 'wrong-type',
      tamper: tampers.message(message =>
        message.method === 'roots/list' ? { ...message, params: { _meta: { progressToken: 1.5 } } } : message,
      ),
    },
    {
      named: 'a list with a request of a client',
      on: 'client/ping/answers',
      breaks: 'object',
      kind: 'wrong-type',
      tamper: tampers.message(message =>
        message.method === 'tools/list' ? { ...message, params: { _meta: [] } } : message,
      ),
    },
    {
      named: 'a progress token of a client that is no integer',
      on: 'client/ping/answers',
      breaks: 'typed',
      kind: 'wrong-type',
      tamper: tampers.message(message =>
        message.method === 'tools/list' ? { ...message, params: { _meta: { progressToken: 1.5 } } } : message,
      ),
    },
  ],
  variants: [
    ...SIDES.map(on => ({
      named: 'keys of each legal form',
      on,
      tamper: withMeta({
        trace: 1,
        'com.example/': { _inside: 1 },
        'a.b-1.c2/x_y-z.9': null,
        'com.example.mcp/x': 1,
        'mcp.dev/x': 1,
        [RELATED_TASK]: { taskId: 't' },
      }),
    })),
    {
      named: 'what was not reserved then',
      on: 'server/ping/answers',
      spec: '2025-06-18',
      tamper: withMeta({ 'com.mcp.tools.more/x': 1, 'com.example/x': 1 }),
    },
    {
      named: 'members named _meta in the data of users',
      on: 'server/base/tool-schemas',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { type: 'object', properties: { _meta: { type: 'string' } } } }],
        extra: { _meta: 7 },
      })),
    },
  ],
})

/** A message, its blocks, the blocks of a tool result, the resource in a block: nothing of MCP lies deeper than that. */
const MAX_DEPTH = 4

/** `_meta` of params, of the result, and of what these list, with their places. */
function* metasIn(message: Json): Generator<[place: string, meta: Json]> {
  const rest = ['params', 'result'].map(place => ({ place, value: at(message, place), depth: 0 }))
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { place, value, depth } = next
    if (Array.isArray(value)) for (const entry of value) rest.push({ place: `${place}[]`, value: entry, depth })
    if (!isObject(value)) continue
    if (value._meta !== undefined) yield [`${place}._meta`, value._meta]
    if (depth === MAX_DEPTH) continue
    for (const [name, inside] of Object.entries(value)) {
      if (PLACES.has(name)) rest.push({ place: `${place}.${name}`, value: inside, depth: depth + 1 })
    }
  }
}

type Rule = [claim: Claim, holds: boolean, expected: string, got: string, fault: Fault]

function* rulesFor(place: string, meta: Json, ofRequest: boolean): Generator<Rule> {
  const typed: Fault = { kind: 'wrong-type', subject: place }
  yield ['object', isObject(meta), 'a _meta that is an object', `_meta: ${JSON.stringify(meta)}`, typed]
  if (!isObject(meta)) return
  for (const key of Object.keys(meta)) {
    for (const [claim, holds, expected] of keyRules(key)) {
      const kind = claim === 'reserved' || claim === 'reservedBefore' ? 'wrong-value' : 'malformed'
      yield [claim, holds, expected, `the key ${JSON.stringify(key)}`, { kind, subject: key.slice(0, SHOWN) }]
    }
  }
  // Names that the schema defines keep their type.
  const token = meta.progressToken
  if (ofRequest && token !== undefined) {
    const subject = `${place}.progressToken`
    const expected = 'a progressToken that is a string or an integer'
    yield ['typed', isRequestId(token), expected, JSON.stringify(token), { ...typed, subject }]
  }
  const task = meta[RELATED_TASK]
  if (task === undefined) return
  const isMissing = isObject(task) && task.taskId === undefined
  const fault: Fault = { kind: isMissing ? 'missing' : 'wrong-type', subject: `${place} ${RELATED_TASK}` }
  const isNamed = textAt(task, 'taskId') !== undefined
  yield ['typed', isNamed, `a taskId as text in ${RELATED_TASK}`, JSON.stringify(task), fault]
}

function withMeta(_meta: Json) {
  return tampers.result('ping', result => ({ ...result, _meta }))
}

function withKey(key: string) {
  return withMeta({ [key]: 1 })
}
