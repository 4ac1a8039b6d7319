import {
  at,
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

/** What the specification defines under its own prefix, in this revision or a later one. */
const DEFINED = new Set(
  [
    'related-task',
    'model-immediate-response',
    'protocolVersion',
    'clientInfo',
    'clientCapabilities',
    'serverInfo',
    'logLevel',
    'subscriptionId',
  ].map(name => `io.modelcontextprotocol/${name}`),
)
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
  start: () => ({ heard: false, judged: new Set<Claim>() }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      state.heard = true
      for (const meta of metasIn(message)) {
        for (const [claim, holds, expected, got] of rulesFor(meta, shapeOf(message) === 'request')) {
          state.judged.add(claim)
          yield judge(claim, holds, expected, { text: got.slice(0, SHOWN), frames: [frame] })
        }
      }
    }
  },
  *end(state) {
    for (const claim of Object.keys(CLAIMS) as Claim[]) {
      if (!state.heard || state.judged.has(claim)) continue
      yield judge(claim, 'n/a', 'something in a _meta that it is about', {
        text: 'nothing of the kind was sent',
        frames: [],
      })
    }
  },
  defects: [
    ...SIDES.flatMap(on => [
      { named: 'a list', on, breaks: 'object' as const, tamper: withMeta(['a']) },
      { named: 'null', on, breaks: 'object' as const, tamper: withMeta(null) },
      { named: 'an empty prefix', on, breaks: 'prefix' as const, tamper: withKey('/trace') },
      { named: 'an empty label', on, breaks: 'prefix' as const, tamper: withKey('com..example/trace') },
      { named: 'a digit first', on, breaks: 'labelStart' as const, tamper: withKey('com.1example/trace') },
      { named: 'a hyphen last', on, breaks: 'labelEnd' as const, tamper: withKey('com.example-/trace') },
      { named: 'an underscore', on, breaks: 'labelInside' as const, tamper: withKey('com.ex_ample/trace') },
      { named: 'an underscore first', on, breaks: 'nameStart' as const, tamper: withKey('_trace') },
      { named: 'an underscore last', on, breaks: 'nameEnd' as const, tamper: withKey('trace_') },
      { named: 'a second slash', on, breaks: 'nameInside' as const, tamper: withKey('com.example/a/b') },
      { named: 'a colon', on, breaks: 'nameInside' as const, tamper: withKey('trace:id') },
      { named: 'a prefix of MCP', on, breaks: 'reserved' as const, tamper: withKey('com.mcp.tools/x') },
      {
        named: 'a name of its own under the prefix of MCP',
        on,
        breaks: 'reserved' as const,
        tamper: withKey('io.modelcontextprotocol/x-own'),
      },
      {
        named: 'a prefix that was reserved then',
        on,
        breaks: 'reservedBefore' as const,
        spec: '2025-06-18' as const,
        tamper: withKey('tools.mcp.com/x'),
      },
      {
        named: 'a related task without taskId',
        on,
        breaks: 'typed' as const,
        tamper: withMeta({ [RELATED_TASK]: { id: 'x' } }),
      },
    ]),
    {
      named: 'a text in a listed tool',
      on: 'server/base/tool-schemas',
      breaks: 'object',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { type: 'object' }, _meta: 'x' }],
      })),
    },
    {
      named: 'a progress token that is no integer',
      on: 'server/lifecycle/before-initialized',
      breaks: 'typed',
      tamper: tampers.message(message =>
        message.method === 'roots/list' ? { ...message, params: { _meta: { progressToken: 1.5 } } } : message,
      ),
    },
    {
      named: 'a list with a request of a client',
      on: 'client/ping/answers',
      breaks: 'object',
      tamper: tampers.message(message =>
        message.method === 'tools/list' ? { ...message, params: { _meta: [] } } : message,
      ),
    },
    {
      named: 'a progress token of a client that is no integer',
      on: 'client/ping/answers',
      breaks: 'typed',
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

/** `_meta` of params, of the result, and of what these list. */
function* metasIn(message: Json): Generator<Json> {
  const roots = [at(message, 'params'), at(message, 'result')]
  const rest: { value: Json | undefined; depth: number }[] = roots.map(value => ({ value, depth: 0 }))
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, depth } = next
    if (Array.isArray(value)) for (const entry of value) rest.push({ value: entry, depth })
    if (!isObject(value)) continue
    if (value._meta !== undefined) yield value._meta
    if (depth === MAX_DEPTH) continue
    for (const [name, inside] of Object.entries(value)) {
      if (PLACES.has(name)) rest.push({ value: inside, depth: depth + 1 })
    }
  }
}

type Rule = [claim: Claim, holds: boolean, expected: string, got: string]

function* rulesFor(meta: Json, ofRequest: boolean): Generator<Rule> {
  yield ['object', isObject(meta), 'a _meta that is an object', `_meta: ${JSON.stringify(meta)}`]
  if (!isObject(meta)) return
  for (const key of Object.keys(meta)) {
    for (const [claim, holds, expected] of keyRules(key))
      yield [claim, holds, expected, `the key ${JSON.stringify(key)}`]
  }
  // Names that the schema defines keep their type.
  const token = meta.progressToken
  if (ofRequest && token !== undefined)
    yield ['typed', isRequestId(token), 'a progressToken that is a string or an integer', JSON.stringify(token)]
  const task = meta[RELATED_TASK]
  if (task !== undefined)
    yield ['typed', textAt(task, 'taskId') !== undefined, `a taskId as text in ${RELATED_TASK}`, JSON.stringify(task)]
}

function* keyRules(key: string): Generator<[Claim, boolean, string]> {
  const slash = key.indexOf('/')
  if (slash !== -1) {
    const labels = key.slice(0, slash).split('.')
    yield ['prefix', labels.every(label => label !== ''), 'labels with dots between them before the slash']
    for (const label of labels.filter(one => one !== '')) {
      yield ['labelStart', /^[A-Za-z]/.test(label), 'a label that starts with a letter']
      yield ['labelEnd', /[A-Za-z0-9]$/.test(label), 'a label that ends with a letter or a digit']
      yield ['labelInside', /^[A-Za-z0-9-]*$/.test(label.slice(1, -1)), 'letters, digits and hyphens inside a label']
    }
    // The second label decides; in 2025-06-18 it was the last but one.
    yield ['reserved', isFree(key, labels[1]), 'no key of its own under a prefix that is reserved for MCP']
    yield ['reservedBefore', isFree(key, labels.at(-2)), 'no key of its own under a prefix that is reserved for MCP']
  }
  const name = key.slice(slash + 1)
  if (name === '') return
  yield ['nameStart', /^[A-Za-z0-9]/.test(name), 'a name that starts with a letter or a digit']
  yield ['nameEnd', /[A-Za-z0-9]$/.test(name), 'a name that ends with a letter or a digit']
  yield ['nameInside', /^[A-Za-z0-9._-]*$/.test(name.slice(1, -1)), 'letters, digits, - _ and . inside a name']
}

const isFree = (key: string, label: string | undefined): boolean =>
  !['mcp', 'modelcontextprotocol'].includes(label ?? '') || DEFINED.has(key)

function withMeta(_meta: Json) {
  return tampers.result('ping', result => ({ ...result, _meta }))
}

function withKey(key: string) {
  return withMeta({ [key]: 1 })
}
