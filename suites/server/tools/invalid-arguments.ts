import {
  at,
  type CallableTool,
  callableTools,
  instanceProblems,
  isObject,
  isToolError,
  type Json,
  type JsonObject,
  type Judgement,
  judge,
  listAll,
  type Outcome,
  type Reply,
  refusal,
  refusalFault,
  type ServerPeer,
  schemaProblems,
  serverScenario,
  success,
  tampers,
  textAt,
  tryTool,
  unmet,
} from '../../../src/suite/server.ts'

/** Two tools say enough about how a server validates. */
const MOST_TOOLS = 2
const STRUCTURED = 'test_structured_content'
const ASKING = 'test_elicitation'

interface Violation {
  kind: 'missing' | 'type' | 'range' | 'convertible'
  named: string
  args: JsonObject
}

/** Each violation differs from a call that succeeds in one member. */
export default serverScenario({
  title: 'Arguments that the inputSchema forbids are refused, in the result of the tool',
  needs: { capability: 'tools' },
  claims: {
    refused: 'tools.security.validates-inputs',
    reported: 'tools.errors.input-validation-is-result',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    let tools = 0
    for (const callable of callableTools(peer, entries)) {
      if (tools === MOST_TOOLS) return
      if (yield* judgeTool(peer, callable)) tools += 1
    }
    // Prepared servers may have no other tool with arguments than those that ask the user.
    const asking = tools === 0 && entries.find(tool => tool.name === ASKING)
    if (isObject(asking)) {
      const client = await peer.another({ capabilities: { elicitation: {} } })
      if (yield* judgeTool(client, { name: ASKING, args: { message: 'test' }, tool: asking, fixture: true })) tools += 1
    }
    if (tools === 0) yield unmet('no tool with required arguments ran, of those that may be called')
  },
  defects: [
    {
      named: 'validates nothing',
      breaks: 'refused',
      kind: 'accepted',
      replace: { argumentProblems: () => undefined },
    },
    {
      named: 'looks only whether the members are there',
      breaks: 'refused',
      kind: 'accepted',
      replace: {
        argumentProblems: (schema, args) =>
          instanceProblems({ type: 'object', required: at(schema, 'required') }, args),
      },
    },
    {
      named: 'a prepared server that validates nothing',
      breaks: 'refused',
      kind: 'accepted',
      tamper: out =>
        only(ASKING)(out).flatMap(
          tampers.answer('tools/call', success({ content: [{ type: 'text', text: 'User response: decline' }] })),
        ),
    },
    {
      named: 'does not look at bounds',
      breaks: 'refused',
      kind: 'accepted',
      replace: { argumentProblems: (schema, args) => instanceProblems(withoutBounds(schema ?? null), args) },
    },
    {
      named: 'converts what it gets',
      breaks: 'refused',
      kind: 'accepted',
      verdict: 'warn',
      replace: {
        argumentProblems: (schema, args) =>
          instanceProblems(schema, typeof args.days === 'string' ? { ...args, days: Number(args.days) } : args),
      },
    },
    {
      named: 'says what is wrong, and calls it a success',
      breaks: 'refused',
      kind: 'accepted',
      tamper: tampers.result('tools/call', result => ({ ...result, isError: false })),
    },
    {
      named: 'wrong arguments leave the call without an answer',
      breaks: 'refused',
      kind: 'silent',
      replace: {
        drops: ({ params }) => at(params, 'name') === STRUCTURED && at(params, 'arguments', 'days') === undefined,
      },
    },
    {
      named: 'a protocol error instead',
      breaks: 'reported',
      kind: 'wrong-type',
      tamper: byProtocolError(),
    },
  ],
  variants: [
    {
      named: 'a protocol error, as older revisions had it',
      spec: '2025-06-18',
      shows: ['refused'],
      tamper: byProtocolError(),
    },
    { named: 'no tool but one that asks the user', shows: ['refused', 'reported'], tamper: only(ASKING) },
    { named: 'an empty list', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
    {
      named: 'foreign tools that read only: one has a default for what is missing',
      bends: ['refused'],
      tamper: foreign({ text: 'done with the default' }, params => at(params, 'arguments', 'days') === undefined),
    },
    {
      named: 'foreign tools that read only: one notices, but forgets isError',
      bends: ['refused'],
      tamper: foreign(
        { text: 'Error: days must be a number' },
        params => typeof at(params, 'arguments', 'days') !== 'number',
      ),
    },
  ],
})

/** True where the tool ran with valid arguments, so that its refusals say something. */
async function* judgeTool(
  peer: ServerPeer,
  callable: CallableTool,
): AsyncGenerator<Judgement<'refused' | 'reported'>, boolean> {
  const violations = violationsOf(callable)
  if (violations.length === 0) return false
  // The control: what the schema allows is accepted.
  const control = await tryTool(peer, callable, callable.args)
  if (control?.kind !== 'result' || at(control.result, 'isError') === true) return false
  let judged = false
  for (const violation of violations) {
    const reply = await tryTool(peer, callable, violation.args)
    if (reply === undefined) break
    judged = true
    const expected = `a refusal of ${violation.named} by ${callable.name}`
    const subject = callable.name
    yield judge('refused', outcomeOf(reply, violation, callable), expected, reply, {
      kind: refusalFault(reply),
      subject: `${subject}: ${violation.kind}`,
    })
    if (reply.kind === 'error' || isToolError(reply))
      yield judge('reported', isToolError(reply), 'isError: true for arguments that are not valid', reply, {
        kind: 'wrong-type',
        subject,
      })
  }
  return judged
}

function outcomeOf(reply: Reply, { kind }: Violation, { fixture }: CallableTool): Outcome {
  if (reply.kind === 'error' || isToolError(reply)) return 'holds'
  if (reply.kind === 'http-error') return reply.http.status < 500 ? 'holds' : 'bends'
  if (reply.kind === 'none') return 'breaks'
  if (kind === 'convertible') return 'bends'
  if (fixture) return 'breaks'
  // A foreign tool may have a default for what is missing; and one that says what is wrong has looked.
  return kind === 'missing' || notices(reply) ? 'bends' : 'breaks'
}

/** Only ever used in favour of the target. */
function notices(reply: Reply): boolean {
  const content = reply.kind === 'result' ? at(reply.result, 'content') : undefined
  const said = (Array.isArray(content) ? content : []).map(block => textAt(block, 'text') ?? '').join(' ')
  return /error|invalid|must|expect|require|missing|fail|not (?:a|an|valid|found)\b/i.test(said)
}

/** What the schema forbids, one member at a time; each is checked against the schema. */
function violationsOf({ tool, args }: CallableTool): Violation[] {
  const schema = tool.inputSchema
  // By a schema that is itself broken nothing is a violation; the schema is judged elsewhere.
  if (schemaProblems(schema) !== undefined) return []
  const forbidden = (candidate: JsonObject): boolean => instanceProblems(schema, candidate) !== undefined
  const found: Violation[] = []
  const add = (kind: Violation['kind'], named: string, candidate: JsonObject): void => {
    if (forbidden(candidate) && !found.some(known => known.kind === kind)) found.push({ kind, named, args: candidate })
  }
  for (const [name, value] of Object.entries(args).reverse()) {
    if (value === undefined) continue
    const { [name]: _, ...others } = args
    add('missing', `arguments without ${name}`, others)
    const other: Json = isObject(value) ? 5 : {}
    add('type', `${name}: ${JSON.stringify(other)}`, { ...args, [name]: other })
    for (const beyond of beyondOf(at(schema, 'properties', name), value))
      add('range', `${name}: ${JSON.stringify(beyond)}`, { ...args, [name]: beyond })
    if (typeof value === 'number') add('convertible', `${name}: "${value}"`, { ...args, [name]: String(value) })
  }
  return found
}

/** Values of the right type that may lie outside of what the schema allows. */
function beyondOf(schema: Json | undefined, value: Json): Json[] {
  const bounds = [at(schema, 'maximum'), at(schema, 'minimum')]
  if (typeof value === 'number')
    return bounds.flatMap((bound, index) => (typeof bound === 'number' ? [index === 0 ? bound + 1 : bound - 1] : []))
  return typeof value === 'string' ? ['x-conformance-none', ''] : []
}

/** Reports failures of tools by protocol errors. */
function byProtocolError() {
  return tampers.answer('tools/call', message =>
    at(message, 'result', 'isError') === true ? refusal(-32602, 'Invalid params')(message) : message,
  )
}

function withoutBounds(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"maximum"', '"x-max"').replaceAll('"minimum"', '"x-min"'),
  ) as Json
}

function only(name: string) {
  return tampers.result('tools/list', result => {
    const tools = (at(result, 'tools') ?? []) as JsonObject[]
    return { tools: tools.filter(tool => tool.name === name) }
  })
}

/** One tool of another name, which reads only and takes what the fixture takes; its calls that fit are answered so. */
function foreign({ text }: { text: string }, fits: (params: Json | undefined) => boolean) {
  const renamed = 'forecast'
  return (out: Parameters<ReturnType<typeof tampers.json>>[0]) =>
    [out]
      .flatMap(
        tampers.result('tools/list', result => {
          const tools = (at(result, 'tools') ?? []) as JsonObject[]
          return { tools: tools.filter(tool => tool.name === STRUCTURED).map(tool => ({ ...tool, name: renamed })) }
        }),
      )
      .flatMap(
        tampers.answer('tools/call', (message, { params }) => {
          const right = instanceProblems(SCHEMA, at(params, 'arguments') ?? null) === undefined
          const said = right ? 'sunny' : fits(params) ? text : 'no'
          const isError = !right && !fits(params)
          return success({ content: [{ type: 'text', text: said }], isError })(message)
        }),
      )
}

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', minimum: 1, maximum: 7 } },
  required: ['city', 'days'],
}
