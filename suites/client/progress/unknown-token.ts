import { clientScenario, codes, failure, judge, shookHands, undone, unmet } from '../../../src/suite/client.ts'
import { ODD } from '../_odd-notifications.ts'
import { reactionTo } from '../_oddities.ts'

export default clientScenario({
  title: 'The client ignores progress with a token that it never gave',
  script: ODD,
  claims: { calm: 'progress.impl.track-tokens' },
  *run(seen) {
    const reaction = reactionTo(seen, 'unknown token')
    if (reaction !== undefined)
      yield judge('calm', reaction.calm, 'no word about it, and an answer to the next ping', reaction.got, 'unasked')
    yield unmet(shookHands(seen) ? 'the client did not answer our pings before that' : undone(seen, 'list the tools'))
  },
  defects: [
    {
      named: 'looks for the request and finds none',
      breaks: 'calm',
      kind: 'died',
      replace: {
        onProgress: (_params, known) => {
          if (!known) throw new Error('progress for an unknown token')
        },
      },
    },
    {
      named: 'answers it with an error',
      breaks: 'calm',
      kind: 'unasked',
      replace: {
        onNotification: ({ method }) =>
          method === 'notifications/progress'
            ? failure(null, codes.invalidParams, 'Unknown progress token')
            : undefined,
      },
    },
  ],
})
