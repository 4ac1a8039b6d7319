import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  listAll,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'json_schema_2020_12_tool'

/** The fixture as it always was, and the words that came into it later. */
const WORDS: Record<string, (schema: Json) => boolean> = {
  '$schema 2020-12': schema => at(schema, '$schema') === 'https://json-schema.org/draft/2020-12/schema',
  '$defs.address': schema => isObject(at(schema, '$defs', 'address')),
  'additionalProperties false': schema => at(schema, 'additionalProperties') === false,
}
const LATER: Record<string, (schema: Json) => boolean> = {
  'allOf with anyOf': schema => Array.isArray(at(schema, 'allOf', 0, 'anyOf')),
  'if, then and else': schema => ['if', 'then', 'else'].every(word => isObject(at(schema, word))),
  '$anchor in $defs.address': schema => at(schema, '$defs', 'address', '$anchor') === 'addressDef',
}

export default serverScenario({
  title: 'A schema of 2020-12 is listed with all its keywords',
  needs: { capability: 'tools' },
  claims: { kept: 'base.json-schema.support-2020-12' },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    const tool = entries.find(entry => entry.name === FIXTURE)
    if (tool === undefined) {
      yield unmet(`fixture ${FIXTURE} not offered`)
      return
    }
    const schema = tool.inputSchema ?? null
    const isLater = Object.values(LATER).some(holds => holds(schema))
    for (const [word, holds] of Object.entries(isLater ? { ...WORDS, ...LATER } : WORDS)) {
      yield judge(
        'kept',
        holds(schema),
        `${word} in the schema of ${FIXTURE}`,
        {
          text: `the keywords ${Object.keys(isObject(schema) ? schema : {}).join(', ')}`,
          frames: replies.flatMap(reply => reply.frames),
        },
        { kind: 'lost', subject: word },
      )
    }
  },
  defects: ['$schema', '$defs', 'additionalProperties', 'allOf', 'if', 'then'].map(word => ({
    named: `${word} is lost`,
    breaks: 'kept' as const,
    kind: 'lost' as const,
    tamper: withSchema(schema => ({ ...schema, [word]: undefined })),
  })),
  variants: [
    {
      named: 'the fixture in its first form',
      shows: ['kept'],
      tamper: withSchema(({ $schema, type, properties, additionalProperties }) => ({
        $schema,
        type,
        properties,
        $defs: { address: { type: 'object' } },
        additionalProperties,
      })),
    },
    { named: 'has no such tool', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

function withSchema(change: (schema: JsonObject) => JsonObject) {
  return tampers.result('tools/list', result => {
    const tools = (at(result, 'tools') ?? []) as JsonObject[]
    return {
      ...result,
      tools: tools.map(tool =>
        tool.name === FIXTURE ? { ...tool, inputSchema: change(tool.inputSchema as JsonObject) } : tool,
      ),
    }
  })
}
