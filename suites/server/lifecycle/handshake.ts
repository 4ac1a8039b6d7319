import { at, isObject, judge, serverScenario, tampers, textAt, unmet } from '../../../src/suite/server.ts'

const without = (member: string) => tampers.result('initialize', ({ [member]: _, ...rest }) => rest)

export default serverScenario({
  title: 'initialize is answered with version, capabilities and server info, and the session is usable then',
  session: 'no-handshake',
  claims: {
    completes: 'base.core.base-protocol-and-lifecycle',
    version: 'lifecycle.init.response-has-protocol-version',
    capabilities: 'lifecycle.init.response-has-capabilities',
    info: 'lifecycle.init.response-has-server-info',
    instructions: 'lifecycle.init.instructions-optional',
  },
  async *run(peer) {
    const reply = await peer.request(peer.hello.method, peer.hello.params, { withinMs: peer.patience.handshakeMs })
    if (reply.kind !== 'result') {
      yield judge('completes', false, 'a result for initialize', reply)
      return
    }
    const { result } = reply
    yield judge('version', typeof at(result, 'protocolVersion') === 'string', 'protocolVersion as a string', reply)
    yield judge('capabilities', isObject(at(result, 'capabilities')), 'capabilities as an object', reply)
    const named =
      textAt(result, 'serverInfo', 'name') !== undefined && textAt(result, 'serverInfo', 'version') !== undefined
    yield judge('info', named, 'serverInfo with name and version as strings', reply)
    const instructions = at(result, 'instructions')
    yield judge(
      'instructions',
      instructions === undefined || typeof instructions === 'string',
      'instructions as a string, or none',
      reply,
    )

    peer.adopt(reply)
    await peer.notify('notifications/initialized')
    const ping = await peer.request('ping')
    if (ping.kind === 'none' && ping.why === 'closed') yield unmet('the server ended after the handshake')
    yield judge(
      'completes',
      ping.kind === 'result' || ping.kind === 'error',
      'an answer to ping after the handshake',
      ping,
    )
  },
  defects: [
    {
      named: 'initialize is an unknown method',
      breaks: 'completes',
      tamper: tampers.refuse('initialize', -32601, 'no'),
    },
    {
      named: 'nothing is answered after the handshake',
      breaks: 'completes',
      replace: { drops: message => message.method !== 'initialize' },
    },
    { named: 'no protocolVersion', breaks: 'version', tamper: without('protocolVersion') },
    { named: 'no capabilities', breaks: 'capabilities', tamper: without('capabilities') },
    {
      named: 'capabilities are a list',
      breaks: 'capabilities',
      tamper: tampers.result('initialize', result => ({ ...result, capabilities: [] })),
    },
    { named: 'no serverInfo', breaks: 'info', tamper: without('serverInfo') },
    {
      named: 'serverInfo has no version',
      breaks: 'info',
      tamper: tampers.result('initialize', result => ({ ...result, serverInfo: { name: 'x' } })),
    },
    {
      named: 'instructions are a list',
      breaks: 'instructions',
      tamper: tampers.result('initialize', result => ({ ...result, instructions: ['be', 'nice'] })),
    },
  ],
  variants: [
    { named: 'no capability at all', replace: { capabilities: {} } },
    { named: 'no instructions', replace: { instructions: undefined } },
  ],
})
