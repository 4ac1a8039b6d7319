import { at, judge, serverScenario, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server that has resources declares the capability, with booleans as its switches',
  claims: {
    declared: 'resources.capability.declared',
    switches: 'resources.capability.flags-optional',
  },
  async *run(peer) {
    const { resources } = peer.capabilities
    const opening = peer.opening ?? []
    if (resources !== undefined) {
      yield judge('declared', true, 'the capability resources', opening)
      for (const subject of ['subscribe', 'listChanged']) {
        const right = ['undefined', 'boolean'].includes(typeof at(resources, subject))
        yield judge('switches', right, `a boolean as ${subject}, or its absence`, opening, {
          kind: 'wrong-type',
          subject,
        })
      }
      return
    }
    const reply = await peer.request('resources/list')
    if (reply.kind === 'none') {
      yield unmet('resources/list was not answered')
      return
    }
    const listed = reply.kind === 'result' && at(reply.result, 'resources', 0) !== undefined
    yield judge('declared', listed ? 'breaks' : 'n/a', 'no resources without the capability', reply, 'missing')
    yield judge('switches', 'n/a', 'a server that declares resources', opening)
  },
  defects: [
    {
      named: 'has resources and does not say so',
      breaks: 'declared',
      kind: 'missing',
      replace: {
        capabilities: { tools: {} },
        extraMethods: { 'resources/list': () => ({ resources: [{ uri: 'test://x', name: 'x' }] }) },
      },
    },
    {
      named: 'subscribe is a text',
      breaks: 'switches',
      kind: 'wrong-type',
      replace: { capabilities: { resources: { subscribe: 'yes' } } },
    },
    {
      named: 'listChanged is null',
      breaks: 'switches',
      kind: 'wrong-type',
      replace: { capabilities: { resources: { listChanged: null } } },
    },
  ],
  variants: [
    { named: 'neither switch', shows: ['declared', 'switches'], replace: { capabilities: { resources: {} } } },
    {
      named: 'subscriptions only',
      shows: ['declared', 'switches'],
      replace: { capabilities: { resources: { subscribe: true } } },
    },
    {
      named: 'list changes only, the other switch off',
      shows: ['declared', 'switches'],
      replace: { capabilities: { resources: { subscribe: false, listChanged: true } } },
    },
    { named: 'no resources', replace: { capabilities: {} } },
    {
      named: 'an empty list for those who ask all the same',
      replace: { capabilities: {}, extraMethods: { 'resources/list': () => ({ resources: [] }) } },
    },
  ],
})
