import { at, callAsking, failure, judge, listAll, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

/** What tools of the fixtures need: a form, or a page. */
const CALLS = [
  { name: 'test_elicitation', arguments: { message: 'hello' } },
  { name: 'test_elicitation_url' },
  { name: 'test_elicitation_url_required' },
]

export default serverScenario({
  title: 'A client that declares elicitation without a mode is asked by form only',
  hello: { capabilities: { elicitation: {} } },
  needs: { capability: 'tools', since: '2025-11-25' },
  claims: {
    form: 'elicitation.capability.empty-means-form',
    error: 'elicitation.required-error.not-without-url-capability',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const usable = CALLS.filter(({ name }) => entries.some(tool => tool.name === name))
    if (usable.length === 0) yield unmet('fixture test_elicitation or test_elicitation_url not offered')
    else if (!usable.some(({ name }) => name.startsWith('test_elicitation_url')))
      yield unmet('fixture test_elicitation_url not offered', 'error')
    for (const call of usable) {
      const { reply, asked } = await callAsking(peer, call, 'elicitation/create', () => ({
        result: { action: 'decline' },
      }))
      for (const { params, frame } of asked)
        yield judge('form', at(params, 'mode') !== 'url', 'an elicitation by form', frame, {
          kind: 'unasked',
          subject: call.name,
        })
      if (call.name === 'test_elicitation') {
        // A refusal is no use of a mode that was not declared.
        if (asked.length === 0) yield judge('form', 'n/a', 'an elicitation by form', reply)
        continue
      }
      const required = reply.kind === 'error' && reply.code === -32042
      yield judge('error', !required, 'no error -32042, which demands the mode url', reply, {
        kind: 'wrong-code',
        subject: call.name,
      })
    }
  },
  defects: [
    {
      named: 'asks by URL all the same',
      breaks: 'form',
      kind: 'unasked',
      also: ['error'],
      replace: { elicits: () => true },
    },
    {
      named: 'demands an elicitation by URL all the same',
      breaks: 'error',
      kind: 'wrong-code',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === 'test_elicitation_url_required'
          ? failure(message.id, -32042, 'needs a credential', { elicitations: [] })
          : message,
      ),
    },
  ],
  variants: [
    { named: 'does not ask without a mode', replace: { elicits: () => false } },
    {
      named: 'names the mode form',
      shows: ['form', 'error'],
      tamper: tampers.message(message =>
        message.method === 'elicitation/create'
          ? { ...message, params: { mode: 'form', ...(message.params as object) } }
          : message,
      ),
    },
  ],
})
