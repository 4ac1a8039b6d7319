import { CALLING, clientScenario, fateOfClient, headerValue, judge, undone, unmet } from '../../../src/suite/client.ts'

export default clientScenario({
  title: 'The client ends its session when it is done',
  needs: { via: 'http' },
  script: CALLING,
  claims: { deletes: 'transport-http.session.client-delete' },
  *run(seen) {
    const [conversation] = seen.conversations
    if (conversation?.initialized !== true) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const { sessionId } = conversation
    const ending = seen.requests.find(
      ({ method, headers }) => method === 'DELETE' && headerValue(headers, 'mcp-session-id') === sessionId,
    )
    if (ending === undefined && (seen.end.how === 'stopped' || seen.end.signal !== undefined)) {
      yield unmet('the client did not come to its end by itself')
      return
    }
    yield judge(
      'deletes',
      ending !== undefined,
      'DELETE with the session id',
      ending?.frames ?? fateOfClient(seen),
      'missing',
    )
  },
  defects: [
    { named: 'just goes', breaks: 'deletes', kind: 'missing', replace: { deletes: () => false } },
    {
      named: 'DELETE without the session id',
      breaks: 'deletes',
      kind: 'missing',
      replace: { sessionHeader: ({ method, sessionId }) => (method === 'DELETE' ? undefined : sessionId) },
    },
  ],
})
