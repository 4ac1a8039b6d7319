import {
  at,
  callAsking,
  filled,
  isObject,
  isToolError,
  judge,
  serverScenario,
  succeeded,
  tampers,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A form asks for what the tool needs, and the tool works with what the user entered',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: 'test_elicitation' }, since: '2025-06-18' },
  claims: {
    asks: 'elicitation.form.requested-schema',
    accept: 'elicitation.result.server-handles-accept',
  },
  async *run(peer) {
    const call = { name: 'test_elicitation', arguments: { message: 'Please introduce yourself' } }
    const { reply, asked } = await callAsking(peer, call, 'elicitation/create', ({ params }) => ({
      result: { action: 'accept', content: filled(params) },
    }))
    if (asked[0] === undefined) {
      yield unmet(`test_elicitation did not ask: ${reply.kind}`)
      return
    }
    const schema = at(asked[0].params, 'requestedSchema')
    const properties = at(schema, 'properties')
    const fits = at(schema, 'type') === 'object' && isObject(properties)
    const expected = 'elicitation/create with a requestedSchema that describes an object'
    yield judge('asks', fits, expected, asked[0].frame, properties === undefined ? 'missing' : 'wrong-type')
    if (!fits) return
    const text = reply.kind === 'result' ? textAt(reply.result, 'content', 0, 'text') : undefined
    yield judge(
      'accept',
      succeeded(reply) && text?.startsWith('User response:') === true,
      'a text that begins with "User response:"',
      reply,
      isToolError(reply) ? 'refused' : {},
    )
  },
  defects: [
    {
      named: 'asks for nothing',
      breaks: 'asks',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === 'elicitation/create'
          ? { ...message, params: { message: 'hello', requestedSchema: { type: 'object' } } }
          : message,
      ),
    },
    {
      named: 'takes every answer for a wrong one',
      breaks: 'accept',
      kind: 'refused',
      replace: { answerProblems: () => 'no' },
    },
    {
      named: 'takes accept for decline',
      breaks: 'accept',
      kind: 'wrong-value',
      tamper: tampers.result('tools/call', () => ({ content: [{ type: 'text', text: 'Nothing was entered' }] })),
    },
  ],
  variants: [
    { named: 'never asks', replace: { elicits: () => false } },
    { named: 'a client of 2025-06-18', spec: '2025-06-18', replace: {} },
  ],
})
