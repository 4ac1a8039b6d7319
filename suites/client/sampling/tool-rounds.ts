import { at, clientScenario, judge, tampers, undone, unmet } from '../../../src/suite/client.ts'
import { MANY_ROUNDS, ROUNDS, usesIn } from './_tool-rounds.ts'

export default clientScenario({
  title: 'The client honours toolChoice required, and limits the iterations of tool use',
  needs: { capability: 'sampling.tools' },
  script: ROUNDS,
  claims: { required: 'sampling.tool-choice.required', limit: 'sampling.security.iteration-limits' },
  *run(seen) {
    const { required, rounds, last } = seen.notes
    if (required === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (required.kind === 'none') yield unmet('its model did not answer', 'required')
    else {
      const uses = required.kind === 'error' || usesIn(required).length > 0
      yield judge('required', uses, 'an answer that uses a tool, or an error', required, 'ignored')
    }
    if (last === undefined) return
    if (rounds === 0) yield unmet('its model does not use tools', 'limit')
    // The text leaves open where the limit is, and whether the server should not be the one to stop.
    else {
      const outcome = rounds < MANY_ROUNDS ? 'holds' : 'bends'
      yield judge('limit', outcome, `an end before round ${MANY_ROUNDS}`, last, 'accepted')
    }
  },
  defects: [
    {
      named: 'does not tell its model that it has to',
      breaks: 'required',
      kind: 'ignored',
      tamper: tampers.answer('sampling/createMessage', (message, cause) =>
        at(cause, 'params', 'toolChoice', 'mode') === 'required'
          ? { ...message, result: { role: 'assistant', content: { type: 'text', text: 'No.' }, model: 'a-1' } }
          : message,
      ),
    },
    {
      named: 'never gets tired',
      breaks: 'limit',
      kind: 'accepted',
      verdict: 'info',
      replace: ({ sampling }) => ({ sampling: { ...sampling, maxRounds: Number.POSITIVE_INFINITY } }),
    },
  ],
  variants: [
    {
      named: 'refuses the third round',
      shows: ['limit'],
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          messagesProblem: messages =>
            Array.isArray(messages) && messages.length > 5 ? 'that is enough' : sampling.messagesProblem(messages),
        },
      }),
    },
  ],
})
