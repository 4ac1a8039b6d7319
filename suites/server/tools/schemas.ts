import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  listAll,
  schemaProblems,
  serverScenario,
  type Tamper,
  tampers,
  textAt,
  UNKNOWN_DIALECT,
  unmet,
} from '../../../src/suite/server.ts'

/** Schemas are shown up to this length. */
const SHOWN = 160

export default serverScenario({
  title: 'The input of each tool, and its structured output, is described by a valid JSON Schema',
  needs: { capability: 'tools' },
  claims: {
    valid: 'tools.schema.input-valid-object',
    output: 'tools.schema.output-root-type-object',
    dialect: 'tools.schema.default-dialect',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    const frames = replies.flatMap(reply => reply.frames)
    if (entries.length === 0) {
      yield unmet('no tool is listed')
      return
    }
    for (const tool of entries) {
      const shown = (member: string, problem?: string) => ({
        text: `${member} of ${JSON.stringify(tool.name)}: ${problem ?? JSON.stringify(tool[member])?.slice(0, SHOWN)}`,
        frames,
      })
      const { inputSchema, outputSchema } = tool
      const subject = textAt(tool, 'name') ?? 'a tool without name'
      const problem = isObject(inputSchema) ? problemOf(inputSchema) : undefined
      const valid = isObject(inputSchema) && problem === undefined
      yield judge(
        'valid',
        valid,
        'an inputSchema that is an object and a valid schema',
        shown('inputSchema', problem),
        {
          kind: inputSchema === undefined ? 'missing' : isObject(inputSchema) ? 'wrong-value' : 'wrong-type',
          subject,
        },
      )
      // That the root is of type object is a matter of monitors/schema.
      if (isObject(outputSchema)) {
        const fault = problemOf(outputSchema)
        yield judge('output', fault === undefined, 'a valid schema', shown('outputSchema', fault), { subject })
      }
      for (const member of ['inputSchema', 'outputSchema']) {
        const schema = tool[member]
        if (!isObject(schema) || schema.$schema !== undefined) continue
        const fault = schemaProblems(schema)
        yield judge('dialect', fault === undefined, 'a valid schema of 2020-12', shown(member, fault), {
          subject: `${subject}: ${member}`,
        })
      }
    }
    const got = { text: 'no such schema is listed', frames }
    if (entries.every(tool => tool.outputSchema === undefined)) yield judge('output', 'n/a', 'an outputSchema', got)
    if (entries.every(tool => at(tool, 'inputSchema', '$schema') !== undefined))
      yield judge('dialect', 'n/a', 'a schema without $schema', got)
  },
  defects: [
    { named: 'no inputSchema', breaks: 'valid', kind: 'missing', tamper: withTool({}) },
    { named: 'inputSchema is null', breaks: 'valid', kind: 'wrong-type', tamper: withTool({ inputSchema: null }) },
    { named: 'inputSchema is true', breaks: 'valid', kind: 'wrong-type', tamper: withTool({ inputSchema: true }) },
    {
      named: 'inputSchema is a list of parameters',
      breaks: 'valid',
      kind: 'wrong-type',
      tamper: withTool({ inputSchema: [{ name: 'a', type: 'string' }] }),
    },
    {
      named: 'a type of a programming language',
      breaks: 'valid',
      kind: 'wrong-value',
      also: ['dialect'],
      tamper: withTool({ inputSchema: { type: 'object', properties: { a: { type: 'int' } } } }),
    },
    {
      named: 'a type of a programming language in the output',
      breaks: 'output',
      kind: 'wrong-value',
      also: ['dialect'],
      tamper: withTool({
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', properties: { a: { type: 'int' } } },
      }),
    },
    {
      named: 'array-form items, as in draft-07, without $schema',
      breaks: 'dialect',
      kind: 'wrong-value',
      also: ['output'],
      tamper: withTool({
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', properties: { pair: { items: [{ type: 'string' }] } } },
      }),
    },
  ],
  variants: [
    {
      named: 'schemas without properties',
      tamper: withTool({
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
      }),
    },
    {
      named: 'draft-07, named, with array-form items',
      tamper: withTool({
        inputSchema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { pair: { type: 'array', items: [{ type: 'string' }] } },
        },
      }),
    },
    {
      named: 'a dialect that nobody knows, on a single tool',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { $schema: 'https://example.com/own', type: 'object' } }],
      })),
    },
    {
      named: 'a union below type object',
      tamper: withTool({ inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } }),
    },
  ],
})

/** What a dialect says that we do not know, we cannot tell. */
function problemOf(schema: Json): string | undefined {
  const problem = schemaProblems(schema)
  return problem === UNKNOWN_DIALECT ? undefined : problem
}

/** One more tool, with these members beside its name. */
function withTool(members: JsonObject): Tamper {
  return tampers.result('tools/list', result => {
    const tools = at(result, 'tools')
    return { ...result, tools: [...(Array.isArray(tools) ? tools : []), { name: 'test_x', ...members }] }
  })
}
