import { at, codes, isObject, type Json, judge, serverScenario, tampers } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server that declares tools lists them, each with an input schema',
  needs: { since: '2026-07-28', capability: 'tools' },
  claims: { listed: 'tools.list.supported', schemas: 'tools.schema.input-valid-object' },
  async *run(peer) {
    const reply = await peer.request('tools/list')
    const tools = reply.kind === 'result' ? at(reply.result, 'tools') : undefined
    const kind =
      reply.kind !== 'result' ? {} : { kind: tools === undefined ? ('missing' as const) : ('wrong-type' as const) }
    yield judge('listed', Array.isArray(tools), 'a result with a list of tools', reply, kind)
    for (const tool of Array.isArray(tools) ? tools : []) {
      const schema = at(tool, 'inputSchema')
      const holds = isObject(schema) && schema.type === 'object'
      const odd = schema === undefined ? 'missing' : isObject(schema) ? 'wrong-value' : 'wrong-type'
      yield judge('schemas', holds, 'an inputSchema of type object', reply, { kind: odd, subject: nameOf(tool) })
    }
  },
  defects: [
    {
      named: 'does not know tools/list',
      breaks: 'listed',
      kind: 'refused',
      tamper: tampers.refuse('tools/list', codes.methodNotFound),
    },
    {
      named: 'the tools by their names',
      breaks: 'listed',
      kind: 'wrong-type',
      tamper: tampers.result('tools/list', list => ({ ...list, tools: {} })),
    },
    ...(
      [
        [undefined, 'missing'],
        [null, 'wrong-type'],
        [{ properties: {} }, 'wrong-value'],
        [{ type: 'string' }, 'wrong-value'],
      ] as const
    ).map(([inputSchema, kind]) => ({
      named: `a tool with ${JSON.stringify(inputSchema) ?? 'no'} inputSchema`,
      breaks: 'schemas' as const,
      kind,
      tamper: tampers.result('tools/list', list => ({ ...list, tools: [{ name: 'odd', inputSchema }] })),
    })),
  ],
})

const nameOf = (tool: Json): string =>
  isObject(tool) && typeof tool.name === 'string' ? tool.name : 'a tool without name'
