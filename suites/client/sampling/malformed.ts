import { at, clientScenario, crashed, endKind, fateOfClient, judge, undone, unmet } from '../../../src/suite/client.ts'
import { WITH_TOOLS } from './_sampling-with-tools.ts'

export default clientScenario({
  title: 'The client refuses malformed sampling content, and stays alive',
  needs: { capability: 'sampling' },
  script: WITH_TOOLS,
  claims: { validates: 'sampling.security.validate-content' },
  *run(seen) {
    const { plain, noData, unknownType, alive } = seen.notes
    if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (plain.kind !== 'result') yield unmet('its model does not answer a plain request either')
    else if (noData === undefined) yield unmet('it had stopped answering before')
    else {
      for (const [reply, what] of [
        [noData, 'an image without data'],
        [unknownType, 'content of an unknown type'],
      ] as const) {
        if (reply === undefined) continue
        // A model that can make something of it is an odd one, and no harm.
        const outcome = reply.kind === 'error' ? 'holds' : reply.kind === 'result' ? 'bends' : 'breaks'
        yield judge('validates', outcome, `an error for ${what}`, reply, { kind: 'accepted', subject: what })
      }
      if (crashed(seen)) yield judge('validates', false, 'a client that goes on', fateOfClient(seen), endKind(seen))
      else if (alive !== undefined)
        yield judge('validates', alive.kind === 'result', 'an answer to ping', alive, { subject: 'ping' })
    }
  },
  defects: [
    {
      named: 'gives its model everything',
      breaks: 'validates',
      kind: 'accepted',
      verdict: 'info',
      replace: { requestProblem: () => undefined },
    },
    {
      named: 'is silent about an image without data',
      breaks: 'validates',
      kind: 'silent',
      replace: {
        drops: message => {
          const content = at(message, 'params', 'messages', 0, 'content')
          return at(content, 'type') === 'image' && at(content, 'data') === undefined
        },
      },
    },
    {
      named: 'dies of an unknown type',
      breaks: 'validates',
      kind: 'died',
      replace: ({ requestProblem }) => ({
        requestProblem: (message, version) => {
          const problem = requestProblem(message, version)
          if (JSON.stringify(message).includes('smell')) throw new Error('unreachable')
          return problem
        },
        onException: problem => {
          throw problem
        },
      }),
    },
  ],
})
