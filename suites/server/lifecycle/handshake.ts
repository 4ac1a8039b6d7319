import { at, isObject, judge, memberFault, serverScenario, tampers, textAt, unmet } from '../../../src/suite/server.ts'

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
    const reply = await peer.request(peer.hello.method, peer.hello.params, { withinMs: peer.timeouts.handshakeMs })
    if (reply.kind !== 'result') {
      yield judge('completes', false, 'a result for initialize', reply)
      return
    }
    const { result } = reply
    const isText = typeof at(result, 'protocolVersion') === 'string'
    yield judge('version', isText, 'protocolVersion as a string', reply, memberFault(reply, 'protocolVersion'))
    const areObject = isObject(at(result, 'capabilities'))
    yield judge('capabilities', areObject, 'capabilities as an object', reply, memberFault(reply, 'capabilities'))
    for (const member of ['name', 'version']) {
      const named = textAt(result, 'serverInfo', member) !== undefined
      yield judge('info', named, 'serverInfo with name and version as strings', reply, {
        kind: memberFault(reply, 'serverInfo', member),
        subject: `serverInfo.${member}`,
      })
    }
    const instructions = at(result, 'instructions')
    yield judge(
      'instructions',
      instructions === undefined || typeof instructions === 'string',
      'instructions as a string, or none',
      reply,
      'wrong-type',
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
      kind: 'refused',
      tamper: tampers.refuse('initialize', -32601, 'no'),
    },
    {
      named: 'nothing is answered after the handshake',
      breaks: 'completes',
      kind: 'silent',
      replace: { drops: message => message.method !== 'initialize' },
    },
    { named: 'no protocolVersion', breaks: 'version', kind: 'missing', tamper: without('protocolVersion') },
    { named: 'no capabilities', breaks: 'capabilities', kind: 'missing', tamper: without('capabilities') },
    {
      named: 'capabilities are a list',
      breaks: 'capabilities',
      kind: 'wrong-type',
      tamper: tampers.result('initialize', result => ({ ...result, capabilities: [] })),
    },
    { named: 'no serverInfo', breaks: 'info', kind: 'missing', tamper: without('serverInfo') },
    {
      named: 'serverInfo has no version',
      breaks: 'info',
      kind: 'missing',
      tamper: tampers.result('initialize', result => ({ ...result, serverInfo: { name: 'x' } })),
    },
    {
      named: 'instructions are a list',
      breaks: 'instructions',
      kind: 'wrong-type',
      tamper: tampers.result('initialize', result => ({ ...result, instructions: ['be', 'nice'] })),
    },
  ],
  variants: [
    { named: 'no capability at all', replace: { capabilities: {} } },
    { named: 'no instructions', replace: { instructions: undefined } },
  ],
})
