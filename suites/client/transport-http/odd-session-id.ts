import { at, clientScenario, headerValue, judge, script, undone, unmet } from '../../../src/suite/client.ts'

/** Every character that a session id may have: 0x21 to 0x7E. */
const ALL = String.fromCharCode(...Array.from({ length: 0x7e - 0x20 }, (_, index) => 0x21 + index))

/** Each session has all of them, beginning with another one. */
const ODD = script({
  drive: { name: 'tools_call' },
  setup: () => {
    let sessions = 0
    return {
      http: {
        sessionId: () => {
          sessions += 1
          return ALL.slice(sessions) + ALL.slice(0, sessions)
        },
      },
    }
  },
})

export default clientScenario({
  title: 'The client sends any session id back unchanged',
  needs: { via: 'http' },
  script: ODD,
  claims: { same: 'transport-http.session.client-sends-id' },
  *run(seen) {
    const opening = seen.requests.find(({ json }) => at(json, 'method') === 'initialize')
    const issued = seen.conversations.map(({ sessionId }) => sessionId)
    const later = seen.requests.filter(
      ({ method, target, json, at: when }) =>
        opening !== undefined &&
        when > opening.at &&
        target === opening.target &&
        (method === 'POST'
          ? json !== undefined && at(json, 'method') !== 'initialize'
          : ['GET', 'DELETE'].includes(method)),
    )
    if (later.length === 0) {
      yield unmet(undone(seen, 'send anything behind initialize'))
      return
    }
    for (const { method, headers, frames } of later) {
      const id = headerValue(headers, 'mcp-session-id')
      yield judge('same', issued.includes(id), 'MCP-Session-Id with all its characters', frames, {
        kind: id === undefined ? 'missing' : 'wrong-value',
        subject: method,
      })
    }
  },
  defects: [
    {
      named: 'unquotes it',
      breaks: 'same',
      kind: 'wrong-value',
      replace: { sessionId: given => given?.replaceAll('"', '') },
    },
    {
      named: 'takes a comma for the end',
      breaks: 'same',
      kind: 'wrong-value',
      replace: { sessionId: given => given?.split(',')[0] },
    },
    {
      named: 'encodes it',
      breaks: 'same',
      kind: 'wrong-value',
      replace: { sessionId: given => given && encodeURIComponent(given) },
    },
  ],
})
