import {
  at,
  idKey,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** Tokens of the open requests of the target, by the key of the request's id. */
type Open = Map<string, string>

/** The progress tokens that each side puts into its own requests (basic/utilities/progress#progress-flow). */
export default monitor({
  title: 'Progress tokens are strings or integers, and no two running requests share one',
  sides: ['server', 'client'],
  claims: {
    type: 'progress.token.type',
    unique: 'progress.token.unique-among-active',
  },
  start: (): Open => new Map(),
  *see(open, frame) {
    for (const message of ourMessages(frame)) if (isResponse(shapeOf(message))) open.delete(idKey(at(message, 'id')))
    for (const message of theirMessages(frame)) {
      // A request that was cancelled does not run any more.
      if (at(message, 'method') === 'notifications/cancelled') open.delete(idKey(at(message, 'params', 'requestId')))
      const token = at(message, 'params', '_meta', 'progressToken')
      if (token === undefined || shapeOf(message) !== 'request') continue
      const proper = typeof token === 'string' || Number.isInteger(token)
      const subject = textAt(message, 'method') ?? ''
      yield judge('type', proper, 'a token that is a string or an integer', frame, { kind: 'wrong-type', subject })
      const id = idKey(at(message, 'id'))
      const taken = [...open].some(([other, used]) => other !== id && used === idKey(token))
      yield judge('unique', !taken, 'a token that no other running request has', frame, { kind: 'duplicate', subject })
      open.set(id, idKey(token))
    }
  },
  defects: [
    ...[1.5, null, true, { id: 1 }].map(token => ({
      named: `a client with the token ${JSON.stringify(token)}`,
      on: 'client/base/calls-at-once',
      breaks: 'type' as const,
      kind: 'wrong-type' as const,
      replace: { progressToken: (active: readonly Json[]) => (active.length === 0 ? token : active.length) },
    })),
    {
      named: 'a client with one token for all its requests',
      on: 'client/base/calls-at-once',
      breaks: 'unique',
      kind: 'duplicate',
      replace: { progressToken: () => 'progress' },
    },
    ...[1.5, null, true, { id: 1 }].map(token => ({
      named: `the token ${JSON.stringify(token)}`,
      on: 'server/lifecycle/before-initialized',
      breaks: 'type' as const,
      kind: 'wrong-type' as const,
      replace: asking(token),
    })),
    {
      named: 'one token for two requests at a time',
      on: 'server/lifecycle/unanswered-request',
      breaks: 'unique',
      kind: 'duplicate',
      replace: asking('one', 'one'),
    },
  ],
  variants: [
    {
      named: 'a client whose tokens are its ids, 0 among them',
      on: 'client/base/calls-at-once',
      shows: ['type', 'unique'],
      replace: { progressToken: active => active.length },
    },
    {
      named: '0, "0" and "" are three tokens',
      on: 'server/lifecycle/unanswered-request',
      shows: ['type', 'unique'],
      replace: asking(0, '0', ''),
    },
  ],
})

function asking(...tokens: Json[]) {
  const requests = tokens.map(
    (progressToken): JsonObject => ({ method: 'roots/list', params: { _meta: { progressToken } } }),
  )
  return {
    greets: (when: 'answered' | 'initialized' | 'roots changed') => (when === 'initialized' ? requests : []),
  }
}
