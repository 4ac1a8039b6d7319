import { at, isObject, judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server that offers prompts declares the capability prompts',
  claims: { declared: 'prompts.capability.declared' },
  async *run(peer) {
    const expected = 'the capability prompts where prompts are offered'
    if (peer.capabilities.prompts !== undefined) {
      yield judge('declared', isObject(peer.capabilities.prompts), expected, peer.opening ?? [], 'wrong-type')
      return
    }
    const reply = await peer.request('prompts/list')
    const prompts = reply.kind === 'result' ? at(reply.result, 'prompts') : undefined
    // Who answers with an empty list offers none.
    const offered = Array.isArray(prompts) && prompts.length > 0
    yield judge('declared', offered ? 'breaks' : 'n/a', expected, reply, 'missing')
  },
  defects: [
    {
      named: 'offers prompts that it did not declare',
      breaks: 'declared',
      kind: 'missing',
      replace: { capabilities: { tools: {} }, extraMethods: { 'prompts/list': () => ({ prompts: [{ name: 'x' }] }) } },
    },
    { named: 'declares true', breaks: 'declared', kind: 'wrong-type', replace: { capabilities: { prompts: true } } },
  ],
  variants: [
    { named: 'offers tools only', replace: { capabilities: { tools: {} } } },
    {
      named: 'has an empty list for whoever asks',
      replace: { capabilities: { tools: {} }, extraMethods: { 'prompts/list': () => ({ prompts: [] }) } },
    },
    { named: 'declares them without details', shows: ['declared'], replace: { capabilities: { prompts: {} } } },
  ],
})
