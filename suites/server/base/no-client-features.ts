import { headerValue, judge, refusal, serverScenario, tampers, textAt, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A client without any capability can complete the handshake and ping',
  session: 'no-handshake',
  claims: { copes: 'base.core.features-optional' },
  async *run(peer) {
    const bare = { ...peer.hello.params, capabilities: {} }
    const opening = await peer.request('initialize', bare, { withinMs: peer.timeouts.handshakeMs })
    if (opening.kind !== 'result') {
      // Only a server that would take a client with features is at fault here.
      const full = await peer.another({ capabilities: { roots: {}, sampling: {}, elicitation: {} } })
      if (full.opening?.kind === 'result') yield judge('copes', false, 'a handshake with capabilities {}', opening)
      else yield unmet('the handshake fails with any capabilities')
      return
    }
    const session = headerValue(opening.http?.headers ?? [], 'mcp-session-id')
    const headers = {
      'MCP-Protocol-Version': textAt(opening.result, 'protocolVersion') ?? peer.revision,
      ...(session === undefined ? {} : { 'MCP-Session-Id': session }),
    }
    await peer.notify('notifications/initialized', undefined, { headers })
    const ping = await peer.request('ping', undefined, { headers })
    yield judge('copes', ping.kind === 'result', 'an answer to ping', ping)
  },
  defects: [
    {
      named: 'demands sampling',
      breaks: 'copes',
      kind: 'refused',
      tamper: tampers.answer('initialize', (message, { params }) =>
        JSON.stringify(params).includes('sampling')
          ? message
          : refusal(-32602, 'This server needs a client with sampling')(message),
      ),
    },
    {
      named: 'waits for roots before it does anything',
      breaks: 'copes',
      kind: 'silent',
      replace: { drops: message => message.method === 'ping' },
    },
  ],
})
