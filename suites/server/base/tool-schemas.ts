import {
  at,
  type Json,
  type JsonObject,
  judge,
  listAll,
  type Reply,
  schemaProblems,
  serverScenario,
  type Tamper,
  tampers,
  UNKNOWN_DIALECT,
  unmet,
} from '../../../src/suite/server.ts'

/** Texts of the target are shown up to this length. */
const SHOWN = 160

export default serverScenario({
  title: 'The schemas of tools are valid under the dialect that they name, or else under JSON Schema 2020-12',
  needs: { capability: 'tools' },
  claims: {
    default: 'base.json-schema.default-dialect',
    explicit: 'base.json-schema.explicit-dialect',
    valid: 'base.json-schema.schemas-valid',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    const schemas = entries.flatMap(tool =>
      ['inputSchema', 'outputSchema'].flatMap(member => {
        const schema = at(tool, member)
        return schema === undefined
          ? []
          : [{ name: `${member} of ${JSON.stringify(tool.name)?.slice(0, SHOWN)}`, schema }]
      }),
    )
    if (schemas.length === 0) {
      yield unmet('no tool with a schema is listed')
      return
    }
    const frames = replies.flatMap((reply: Reply) => reply.frames)
    for (const { name, schema } of schemas) {
      const named = at(schema, '$schema')
      const problem = schemaProblems(schema)
      const got = { text: `${name}: ${problem ?? 'a valid schema'}`, frames }
      if (named === undefined)
        yield judge('default', problem === undefined, 'a valid schema of 2020-12', got, { subject: name })
      else
        yield judge(
          'explicit',
          isUri(named),
          'an absolute URI as $schema',
          {
            text: `${name}: $schema ${JSON.stringify(named).slice(0, SHOWN)}`,
            frames,
          },
          { kind: typeof named === 'string' ? 'wrong-value' : 'wrong-type', subject: name },
        )
      // What a dialect says that we do not know, we cannot tell.
      if (problem !== UNKNOWN_DIALECT)
        yield judge('valid', problem === undefined, 'a valid schema of its dialect', got, { subject: name })
    }
    const named = schemas.filter(({ schema }) => at(schema, '$schema') !== undefined).length
    if (named === 0) yield judge('explicit', 'n/a', 'a schema with $schema', { text: 'no schema has $schema', frames })
    if (named === schemas.length)
      yield judge('default', 'n/a', 'a schema without $schema', { text: 'every schema has $schema', frames })
  },
  defects: [
    {
      named: 'array-form items, as in draft-07, without $schema',
      breaks: 'default',
      kind: 'wrong-value',
      also: ['valid'],
      tamper: withSchema({ type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }] } } }),
    },
    {
      named: 'required as a boolean in a draft-07 schema',
      breaks: 'valid',
      kind: 'wrong-value',
      tamper: withSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { name: { type: 'string', required: true } },
      }),
    },
    {
      named: 'a type of a programming language',
      breaks: 'valid',
      kind: 'wrong-value',
      also: ['default'],
      tamper: withSchema({ type: 'object', properties: { count: { type: 'int' } } }),
    },
    {
      named: 'a broken outputSchema',
      breaks: 'valid',
      kind: 'wrong-value',
      also: ['default'],
      tamper: tampers.result('tools/list', result => ({
        ...result,
        tools: [
          { name: 'test_x', inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: 'name' } },
        ],
      })),
    },
    {
      named: '$schema is a bare name',
      breaks: 'explicit',
      kind: 'wrong-value',
      tamper: withSchema({ $schema: 'draft-07', type: 'object' }),
    },
    {
      named: '$schema is a number',
      breaks: 'explicit',
      kind: 'wrong-type',
      also: ['valid'],
      tamper: withSchema({ $schema: 7, type: 'object' }),
    },
  ],
  variants: [
    {
      named: 'keywords and formats of its own',
      tamper: withSchema({
        type: 'object',
        'x-order': ['a'],
        properties: { a: { type: 'string', format: 'x-thing' } },
      }),
    },
    { named: 'draft-07 everywhere', tamper: onlySchema('http://json-schema.org/draft-07/schema#') },
    { named: '2020-12 named everywhere', tamper: onlySchema('https://json-schema.org/draft/2020-12/schema') },
  ],
})

function isUri(value: Json): boolean {
  return typeof value === 'string' && URL.canParse(value)
}

/** One more tool, with this schema. */
function withSchema(inputSchema: JsonObject): Tamper {
  return tampers.result('tools/list', result => {
    const tools = at(result, 'tools')
    return { ...result, tools: [...(Array.isArray(tools) ? tools : []), { name: 'test_x', inputSchema }] }
  })
}

/** A single tool, with a schema of this dialect. */
function onlySchema($schema: string): Tamper {
  const inputSchema = { $schema, type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  return tampers.result('tools/list', () => ({ tools: [{ name: 'test_x', inputSchema }] }))
}
