import { clientScenario, codeOf, codes, judge, refusalFault, undone, unmet } from '../../../src/suite/client.ts'
import { WITH_TOOLS } from './_sampling-with-tools.ts'

/** Each differs from a conversation that is in order in one thing only. */
export default clientScenario({
  title: 'The client refuses messages in which a tool result is missing or mixed with other content',
  needs: { capability: 'sampling.tools' },
  script: WITH_TOOLS,
  claims: { missing: 'sampling.error.tool-result-missing', mixed: 'sampling.error.tool-result-mixed' },
  *run(seen) {
    const { plain, whole } = seen.notes
    if (plain === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (whole?.kind !== 'result') yield unmet('it does not take a conversation with all the results either')
    else
      for (const claim of ['missing', 'mixed'] as const) {
        const reply = seen.notes[claim]
        if (reply === undefined) yield unmet('it had stopped answering before', claim)
        else yield judge(claim, codeOf(reply) === codes.invalidParams, 'error -32602', reply, refusalFault(reply))
      }
  },
  defects: [
    {
      named: 'lets tool uses without results pass',
      breaks: 'missing',
      kind: 'accepted',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          messagesProblem: messages => {
            const problem = sampling.messagesProblem(messages)
            return problem?.includes('missing') === true ? undefined : problem
          },
        },
      }),
    },
    {
      named: 'lets words among the results pass',
      breaks: 'mixed',
      kind: 'accepted',
      replace: ({ sampling }) => ({
        sampling: {
          ...sampling,
          messagesProblem: messages => {
            const problem = sampling.messagesProblem(messages)
            return problem?.includes('mixed') === true ? undefined : problem
          },
        },
      }),
    },
  ],
})
