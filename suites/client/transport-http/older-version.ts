import { clientScenario, headerValue, judge, script, sent, undone, unmet } from '../../../src/suite/client.ts'

const OLDER = '2025-06-18'

const ANSWERING_OLDER = script({ drive: { name: 'initialize' }, setup: () => ({ negotiate: () => OLDER }) })

export default clientScenario({
  title: 'The client sends the negotiated version in MCP-Protocol-Version, not the one that it requested',
  needs: { via: 'http', since: '2025-11-25' },
  script: ANSWERING_OLDER,
  claims: { agreed: 'transport-http.protocol-version.negotiated-value' },
  *run(seen) {
    const ready = sent(seen, 'notifications/initialized')[0] ?? sent(seen, 'tools/list')[0]
    if (ready === undefined) {
      yield unmet(undone(seen, `go on when the server answers with ${OLDER}`))
      return
    }
    const later = seen.requests.filter(({ at: when }) => when >= ready.frame.at)
    let isSeen = false
    for (const { headers, frames } of later) {
      const version = headerValue(headers, 'mcp-protocol-version')
      if (version === undefined) continue
      isSeen = true
      yield judge('agreed', version === OLDER, `MCP-Protocol-Version ${OLDER}`, frames)
    }
    if (!isSeen) yield unmet('the client sends no MCP-Protocol-Version')
  },
  defects: [
    {
      named: 'always names the newest',
      breaks: 'agreed',
      kind: 'wrong-value',
      replace: { versionHeader: () => '2025-11-25' },
    },
  ],
})
