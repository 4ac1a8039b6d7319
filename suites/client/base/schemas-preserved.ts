import {
  at,
  clientScenario,
  isObject,
  type Json,
  judge,
  type Outcome,
  script,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** Of the text that is split: each of these takes two to four bytes. */
const WORDS = 'déjà vu · 日本語 · 🎉'

const SCHEMA: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  description: WORDS,
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['name'],
  additionalProperties: false,
}

/** The scenario of the official suite: the driver gives a tool the schema with which another one was listed. */
const ECHOING = script({
  drive: { name: 'json-schema-2020-12-preservation' },
  setup: () => ({
    tools: [
      { name: 'json_schema_2020_12_tool', description: 'Has a schema of 2020-12', inputSchema: SCHEMA },
      {
        name: 'json_schema_echo',
        description: 'Takes a schema',
        inputSchema: { type: 'object', properties: { schema: { type: 'object' } }, required: ['schema'] },
      },
    ],
  }),
})

export default clientScenario({
  title: 'The schema of a tool reaches the user of the client as it was listed, keywords and texts alike',
  script: ECHOING,
  claims: {
    schema: 'base.json-schema.support-2020-12',
    utf8: 'base.jsonrpc.utf8',
  },
  *run(seen) {
    const call = sent(seen, 'tools/call').find(({ params }) => params.name === 'json_schema_echo')
    const schema = at(call?.params, 'arguments', 'schema')
    if (call === undefined || !isObject(schema)) {
      yield unmet(undone(seen, 'call json_schema_echo with the schema'))
      return
    }
    const lost = missing(SCHEMA, schema, '')
    // A reference that leads nowhere makes the schema useless; what else is lost makes it weaker.
    const dangling =
      at(schema, 'properties', 'address', '$ref') !== undefined && !isObject(at(schema, '$defs', 'address'))
    if (lost.length === 0) yield judge('schema', true, 'all keywords of 2020-12', call.frame)
    for (const place of lost) {
      const outcome: Outcome = dangling && place.startsWith('$defs') ? 'breaks' : 'bends'
      const got = { text: `without ${place}`, frames: [call.frame] }
      yield judge('schema', outcome, 'all keywords of 2020-12', got, { kind: 'lost', subject: place })
    }
    const words = at(schema, 'description')
    if (words === undefined) yield unmet('the description of the schema is lost', 'utf8')
    else
      yield judge('utf8', words === WORDS, `the words ${WORDS}`, { text: JSON.stringify(words), frames: [call.frame] })
  },
  defects: [
    {
      named: 'drops $defs and keeps $ref',
      breaks: 'schema',
      kind: 'lost',
      tamper: echoing(({ $defs: _, ...rest }) => rest),
    },
    {
      named: 'drops keywords that draft-07 has not',
      breaks: 'schema',
      kind: 'lost',
      verdict: 'warn',
      tamper: echoing(schema => JSON.parse(JSON.stringify(schema).replace(/"prefixItems":\[[^\]]*\]/, '"items":{}'))),
    },
    {
      named: 'takes UTF-8 for Latin-1',
      breaks: 'utf8',
      kind: 'wrong-value',
      tamper: echoing(schema => ({
        ...schema,
        description: Buffer.from(String(schema.description), 'utf8').toString('latin1'),
      })),
    },
    {
      named: 'cannot read what lies beyond the first plane',
      breaks: 'utf8',
      kind: 'wrong-value',
      tamper: echoing(schema => ({ ...schema, description: String(schema.description).replace('🎉', '\ufffd\ufffd') })),
    },
  ],
})

/** The places of the keywords that are not there any more; added ones are not judged. */
function missing(before: Json, after: Json | undefined, place: string): string[] {
  if (isObject(before)) {
    if (!isObject(after)) return [place]
    return Object.entries(before).flatMap(([name, value]) =>
      name === 'description' ? [] : missing(value ?? null, after[name], place === '' ? name : `${place}.${name}`),
    )
  }
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [place]
    return before.flatMap((value, index) => missing(value, after[index], `${place}[]`))
  }
  return before === after ? [] : [place]
}

function echoing(rewrite: (schema: Record<string, Json | undefined>) => Record<string, Json | undefined>) {
  return tampers.message(message => {
    const schema = at(message, 'params', 'arguments', 'schema')
    if (!isObject(message.params) || !isObject(schema)) return message
    return { ...message, params: { ...message.params, arguments: { schema: rewrite(schema) } } }
  })
}
