import {
  at,
  callAsking,
  filled,
  type JsonObject,
  judge,
  type Reply,
  serverScenario,
  succeeded,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'An answer that does not fit the form is not used',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: 'test_elicitation' }, since: '2025-06-18' },
  claims: { validates: 'elicitation.form.server-validates' },
  async *run(peer) {
    const call = { name: 'test_elicitation', arguments: { message: 'hello' } }
    const control = await callAsking(peer, call, 'elicitation/create', ({ params }) => ({
      result: { action: 'accept', content: filled(params) },
    }))
    const params = control.asked[0]?.params
    if (params === undefined || !isUsed(control.reply)) {
      yield unmet('the control, content that fits the form, was not answered with "User response:"')
      return
    }
    for (const [what, content] of wrong(params)) {
      const { reply, asked } = await callAsking(peer, call, 'elicitation/create', (_, turn) => ({
        result: turn === 1 ? { action: 'accept', content } : { action: 'decline' },
      }))
      // Asking again is as good as an error.
      const refused = asked.length > 1 || (reply.kind !== 'none' && !isUsed(reply))
      yield judge('validates', refused, `an error, or the question once more, where ${what}`, reply, {
        kind: 'accepted',
        subject: what,
      })
    }
  },
  defects: [
    {
      named: 'uses whatever comes',
      breaks: 'validates',
      kind: 'accepted',
      replace: { answerProblems: () => undefined },
    },
    {
      named: 'looks only whether all is there',
      breaks: 'validates',
      kind: 'accepted',
      replace: {
        answerProblems: (_schema, content) =>
          Object.keys(content as JsonObject).length === 2 ? undefined : 'something is missing',
      },
    },
  ],
  variants: [
    { named: 'a client of 2025-06-18', spec: '2025-06-18', replace: {} },
    { named: 'never asks', replace: { elicits: () => false } },
  ],
})

const isUsed = (reply: Reply): boolean =>
  succeeded(reply) &&
  reply.kind === 'result' &&
  textAt(reply.result, 'content', 0, 'text')?.startsWith('User response:') === true

/** Each differs in one thing from what fits: a required field is missing, a required text is a number. */
function wrong(params: JsonObject): [what: string, content: JsonObject][] {
  const required = at(params, 'requestedSchema', 'required')
  const [name] = Array.isArray(required) ? required : []
  if (typeof name !== 'string') return []
  const { [name]: _, ...rest } = filled(params)
  const missing: [string, JsonObject] = [`${name} is missing`, rest]
  const isText = at(params, 'requestedSchema', 'properties', name, 'type') === 'string'
  return isText ? [missing, [`${name} is a number`, { ...rest, [name]: 42 }]] : [missing]
}
