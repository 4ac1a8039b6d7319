import { at, isObject, judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server with tools declares them, and says by a boolean whether it announces changes',
  claims: {
    declared: 'tools.capability.declared',
    flag: 'tools.capability.list-changed-flag',
  },
  async *run(peer) {
    const declared = peer.capabilities.tools
    if (declared !== undefined) {
      const got = peer.opening ?? []
      yield judge('declared', true, 'the capability tools', got)
      const flag = at(declared, 'listChanged')
      yield judge(
        'flag',
        isObject(declared) ? flag === undefined || typeof flag === 'boolean' : 'n/a',
        'listChanged as a boolean, or absent',
        {
          text: `tools: ${JSON.stringify(declared)}`,
          frames: peer.opening?.frames ?? [],
        },
        'wrong-type',
      )
      return
    }
    const reply = await peer.request('tools/list')
    const tools = reply.kind === 'result' ? at(reply.result, 'tools') : undefined
    const offers = Array.isArray(tools) && tools.length > 0
    yield judge('declared', offers ? 'breaks' : 'n/a', 'no tools without the capability tools', reply, 'missing')
    yield judge('flag', 'n/a', 'a server with tools', reply)
  },
  defects: [
    {
      named: 'lists tools that it did not declare',
      breaks: 'declared',
      kind: 'missing',
      replace: {
        capabilities: {},
        extraMethods: { 'tools/list': () => ({ tools: [{ name: 'test_x', inputSchema: { type: 'object' } }] }) },
      },
    },
    {
      named: 'listChanged is a text',
      breaks: 'flag',
      kind: 'wrong-type',
      replace: { capabilities: { tools: { listChanged: 'true' } } },
    },
    {
      named: 'listChanged is null',
      breaks: 'flag',
      kind: 'wrong-type',
      replace: { capabilities: { tools: { listChanged: null } } },
    },
  ],
  variants: [
    { named: 'has no tools', replace: { capabilities: {} } },
    {
      named: 'has an empty list that it did not declare',
      replace: { capabilities: {}, extraMethods: { 'tools/list': () => ({ tools: [] }) } },
    },
    {
      named: 'does not say whether it announces changes',
      shows: ['declared', 'flag'],
      replace: { capabilities: { tools: {} } },
    },
    { named: 'announces none', shows: ['flag'], replace: { capabilities: { tools: { listChanged: false } } } },
  ],
})
