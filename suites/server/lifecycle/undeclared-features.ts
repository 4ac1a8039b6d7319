import { codes, judge, type Reply, refusal, refusalFault, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A request for a feature that the server did not declare gets error -32601',
  claims: { refuses: 'lifecycle.operation.undeclared-method-error' },
  async *run(peer) {
    const undeclared = ['tools', 'resources', 'prompts'].filter(name => peer.capabilities[name] === undefined)
    if (undeclared.length === 0 && peer.opening !== undefined)
      yield judge('refuses', 'n/a', 'only judged where tools, resources or prompts are not declared', peer.opening)
    for (const capability of undeclared) {
      const reply = await peer.request(`${capability}/list`)
      yield judge('refuses', outcomeOf(reply), 'error -32601', reply, {
        kind: refusalFault(reply),
        subject: `${capability}/list`,
      })
      if (reply.kind === 'none') return
    }
  },
  defects: [
    {
      named: 'serves what it did not declare',
      breaks: 'refuses',
      kind: 'accepted',
      replace: { capabilities: { resources: {} }, extraMethods: { 'tools/list': () => ({ tools: [] }) } },
    },
    {
      named: 'refuses with a code of its own',
      breaks: 'refuses',
      kind: 'wrong-code',
      verdict: 'info',
      replace: {
        capabilities: {},
        onUnknownMethod: refusal(-32000, 'not supported'),
      },
    },
    {
      named: 'does not answer at all',
      breaks: 'refuses',
      kind: 'silent',
      replace: { capabilities: {}, onUnknownMethod: () => undefined },
    },
  ],
  variants: [
    { named: 'offers tools only', shows: ['refuses'], replace: { capabilities: { tools: {} } } },
    { named: 'offers nothing', shows: ['refuses'], replace: { capabilities: {} } },
  ],
})

/** Only completion/complete has its code in the text; elsewhere another error is a matter of taste. */
function outcomeOf(reply: Reply): 'holds' | 'bends' | 'breaks' {
  if (reply.kind === 'error') return reply.code === codes.methodNotFound ? 'holds' : 'bends'
  return reply.kind === 'http-error' ? 'bends' : 'breaks'
}
