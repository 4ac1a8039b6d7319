import {
  at,
  clientScenario,
  codes,
  failure,
  type Json,
  judge,
  shookHands,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ODD } from '../_odd-notifications.ts'
import { reactionTo } from '../_oddities.ts'

const CLAIMS = {
  unknown: 'unknown id',
  completed: 'completed id',
  crossing: 'crossing',
  malformed: 'malformed',
} as const

/** Cancellations of requests that are unknown, answered or just being answered, and malformed ones. */
export default clientScenario({
  title: 'The client ignores unknown and malformed cancellations, and survives those that cross its answers',
  script: ODD,
  claims: {
    unknown: 'cancellation.errors.unknown-id',
    completed: 'cancellation.errors.completed-id',
    crossing: 'cancellation.race.graceful',
    malformed: 'cancellation.errors.malformed',
  },
  *run(seen) {
    for (const [claim, oddity] of Object.entries(CLAIMS) as [
      keyof typeof CLAIMS,
      (typeof CLAIMS)[keyof typeof CLAIMS],
    ][]) {
      const reaction = reactionTo(seen, oddity)
      if (reaction !== undefined)
        yield judge(claim, reaction.calm, 'no word about it, and an answer to the next ping', reaction.got, 'unasked')
    }
    yield unmet(shookHands(seen) ? 'the client did not answer our pings before that' : undone(seen, 'list the tools'))
  },
  defects: [
    {
      named: 'knows every request that is cancelled',
      breaks: 'unknown',
      kind: 'died',
      ...upon(id => id === 'no-such-id'),
    },
    { named: 'forgets what it has answered', breaks: 'completed', kind: 'died', ...upon(id => id === 'completed') },
    { named: 'cannot stop a ping', breaks: 'crossing', kind: 'died', ...upon(id => String(id).startsWith('crossing')) },
    {
      named: 'wants a cancellation to have an id',
      breaks: 'malformed',
      kind: 'died',
      ...upon(id => typeof id !== 'string'),
    },
    {
      named: 'answers a malformed cancellation',
      breaks: 'malformed',
      kind: 'unasked',
      replace: {
        onNotification: message =>
          message.method === 'notifications/cancelled' && textAt(message, 'params', 'requestId') === undefined
            ? failure(null, codes.invalidParams, 'Invalid params')
            : undefined,
      },
    },
  ],
})

/** Ends when such a request is cancelled. */
function upon(fits: (id: Json | undefined) => boolean) {
  return {
    replace: {
      notices(message: Json) {
        if (at(message, 'method') === 'notifications/cancelled' && fits(at(message, 'params', 'requestId')))
          throw new Error('this cannot be cancelled')
      },
    },
  }
}
