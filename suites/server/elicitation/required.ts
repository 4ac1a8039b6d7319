import { callAsking, judge, request, serverScenario, tampers, unmet, WILLING } from '../../../src/suite/server.ts'

const NAME = 'test_elicitation_url_required'

export default serverScenario({
  title: 'A request that needs an elicitation first is refused with error -32042, or elicits by itself',
  session: 'fresh',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: { code: 'elicitation.required-error.code' },
  async *run(peer) {
    const { reply, asked } = await callAsking(peer, { name: NAME }, 'elicitation/create', () => ({
      result: { action: 'decline' },
    }))
    const expected = 'error -32042, or elicitation/create'
    if (asked[0] !== undefined) yield judge('code', true, expected, asked[0].frame)
    else if (reply.kind === 'error') yield judge('code', reply.code === -32042, expected, reply, 'wrong-code')
    // A tool may report a failure of its own as its result; then no elicitation is outstanding.
    else if (reply.kind === 'result') yield judge('code', 'n/a', expected, reply)
    else yield unmet(`${NAME} gave no answer`)
  },
  defects: [
    {
      named: 'invalid params in place of the code',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => (error.code === -32042 ? { ...error, code: -32602 } : error)),
    },
    {
      named: 'a code of its own',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => (error.code === -32042 ? { ...error, code: -32000 } : error)),
    },
  ],
  variants: [
    { named: 'says so in the result', replace: { elicits: () => false } },
    {
      named: 'elicits at once',
      shows: ['code'],
      tamper: tampers.answer('tools/call', (message, { params }) =>
        JSON.stringify(params).includes(NAME)
          ? [
              request('before', 'elicitation/create', {
                mode: 'url',
                elicitationId: '1',
                url: 'https://example.com/',
                message: 'hello',
              }),
              { ...message, error: { code: -32602, message: 'declined' } },
            ]
          : message,
      ),
    },
  ],
})
