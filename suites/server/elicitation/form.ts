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
  title: 'A tool that asks by a form works with what the user entered',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: 'test_elicitation' }, since: '2025-06-18' },
  claims: { accept: 'elicitation.result.server-handles-accept' },
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
    if (at(schema, 'type') !== 'object' || !isObject(at(schema, 'properties'))) {
      yield unmet('the form does not describe an object (monitors/schema)')
      return
    }
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
