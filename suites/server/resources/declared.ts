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
      const switches = ['subscribe', 'listChanged'].map(name => at(resources, name))
      const booleans = switches.every(value => value === undefined || typeof value === 'boolean')
      yield judge('switches', booleans, 'booleans as subscribe and listChanged, or their absence', opening)
      return
    }
    const reply = await peer.request('resources/list')
    if (reply.kind === 'none') {
      yield unmet('resources/list was not answered')
      return
    }
    const listed = reply.kind === 'result' && at(reply.result, 'resources', 0) !== undefined
    yield judge('declared', listed ? 'breaks' : 'n/a', 'no resources without the capability', reply)
    yield judge('switches', 'n/a', 'a server that declares resources', opening)
  },
  defects: [
    {
      named: 'has resources and does not say so',
      breaks: 'declared',
      replace: {
        capabilities: { tools: {} },
        extraMethods: { 'resources/list': () => ({ resources: [{ uri: 'test://x', name: 'x' }] }) },
      },
    },
    {
      named: 'subscribe is a text',
      breaks: 'switches',
      replace: { capabilities: { resources: { subscribe: 'yes' } } },
    },
    {
      named: 'listChanged is null',
      breaks: 'switches',
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
