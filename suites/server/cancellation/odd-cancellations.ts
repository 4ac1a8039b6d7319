import {
  type Fault,
  failure,
  fateOf,
  isResponse,
  type JsonObject,
  judge,
  notification,
  type Probe,
  serverScenario,
  shapeOf,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

const cancelled = (params?: JsonObject): JsonObject => notification('notifications/cancelled', params)

/** What is no cancellation at all; the reason is the only fault of the last one. */
const MALFORMED: [string, JsonObject][] = [
  ['without params', cancelled()],
  ['with requestId null', cancelled({ requestId: null })],
  ['with an object as requestId', cancelled({ requestId: { id: 1 } })],
  ['with requestId 1.5', cancelled({ requestId: 1.5 })],
  ['with a number as reason', cancelled({ requestId: 'x-conformance-no-such-id', reason: 5 })],
]

export default serverScenario({
  title: 'A cancellation of an unknown or finished request, or a malformed one, is ignored',
  claims: {
    unknown: 'cancellation.errors.unknown-id',
    completed: 'cancellation.errors.completed-id',
    malformed: 'cancellation.errors.malformed',
  },
  async *run(peer) {
    const control = await peer.request('ping')
    if (control.kind !== 'result') {
      yield unmet('a ping gets no result')
      return
    }
    const completed = await peer.raw(cancelled({ requestId: control.id ?? null, reason: 'a test' }))
    const accepted = isIgnored(completed) && isAccepted(completed)
    yield judge('completed', accepted, 'no reaction to the id of an answered ping', await fateOf(peer, completed), {
      ...reaction(completed),
    })
    if (!completed.alive) return
    for (const requestId of ['x-conformance-no-such-id', 987_654_321]) {
      const unknown = await peer.raw(cancelled({ requestId, reason: 'a test' }))
      const fate = await fateOf(peer, unknown)
      yield judge(
        'unknown',
        isIgnored(unknown) && isAccepted(unknown),
        `no reaction to the unknown id ${requestId}`,
        fate,
        { ...reaction(unknown), subject: `an id that is a ${typeof requestId}` },
      )
      if (!unknown.alive) return
    }
    for (const [what, message] of MALFORMED) {
      const probe = await peer.raw(message)
      // Over HTTP a message that is none may be refused (basic/transports#sending-messages-to-the-server).
      yield judge('malformed', isIgnored(probe), `no reaction to a cancellation ${what}`, await fateOf(peer, probe), {
        ...reaction(probe),
        subject: `a cancellation ${what}`,
      })
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'does not know notifications/cancelled',
      breaks: 'unknown',
      kind: { stdio: 'unasked', http: 'wrong-status' },
      also: ['completed', 'malformed'],
      replace: {
        onNotification: ({ method }) =>
          method === 'notifications/cancelled' ? failure(undefined, -32601, 'Method not found') : undefined,
      },
    },
    {
      named: 'reports an unknown id',
      breaks: 'unknown',
      kind: { stdio: 'unasked', http: 'wrong-status' },
      replace: {
        onNotification: message =>
          /no-such-id"|987654321/.test(JSON.stringify(message)) && !JSON.stringify(message).includes('"reason":5')
            ? failure(undefined, -32602, 'no such request')
            : undefined,
      },
    },
    {
      named: 'refuses unknown ids with 404',
      breaks: 'unknown',
      kind: 'wrong-status',
      also: ['completed'],
      via: 'http',
      replace: {
        notificationStatus: ({ method }) => ({ status: method === 'notifications/cancelled' ? 404 : 202, body: '' }),
      },
    },
    {
      named: 'is stuck when the request is over',
      breaks: 'completed',
      kind: 'stuck',
      replace: stuckBy(text => /cancelled.*"requestId":\d{1,3},"reason":"a test"/.test(text)),
    },
    {
      named: 'answers a cancellation that came too late with an error under the id of the request',
      breaks: 'completed',
      kind: 'unasked',
      also: ['unknown'],
      replace: {
        onNotification: ({ params }) =>
          (params as JsonObject | undefined)?.reason === 'a test'
            ? failure((params as JsonObject).requestId, -32800, 'Request cancelled')
            : undefined,
      },
    },
    {
      named: 'is stuck at a cancellation without params',
      breaks: 'malformed',
      kind: 'stuck',
      replace: stuckBy(text => text.endsWith('"method":"notifications/cancelled"}')),
    },
    {
      named: 'is stuck at an object as id',
      breaks: 'malformed',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('"requestId":{')),
    },
    {
      named: 'complains about a reason that is no text',
      breaks: 'malformed',
      kind: 'unasked',
      via: 'stdio',
      replace: {
        onNotification: message =>
          JSON.stringify(message).includes('"reason":5') ? failure(null, -32602, 'reason: expected string') : undefined,
      },
    },
  ],
  variants: [
    {
      named: 'refuses malformed notifications with 400',
      via: 'http',
      shows: ['unknown', 'completed', 'malformed'],
      replace: {
        onNotification: ({ params }) =>
          ['string', 'number'].includes(typeof (params as JsonObject | undefined)?.requestId)
            ? undefined
            : failure(undefined, -32600, 'this is no cancellation'),
      },
    },
  ],
})

/** The next ping is answered, and nothing else was said but what belongs to no message of ours. */
function isIgnored({ alive, messages, http }: Probe): boolean {
  const refused = (http?.status ?? 0) >= 400
  const answers = messages.filter(({ json }) => isResponse(shapeOf(json)))
  // The body of a refusal may be an error without an id; it is no response.
  return alive && answers.every(({ json }) => refused && (json as JsonObject).id === undefined)
}

/** What a target that lives on did wrong: it refused the message, or answered it. */
const reaction = (probe: Probe): Fault => (probe.alive ? { kind: isIgnored(probe) ? 'wrong-status' : 'unasked' } : {})

const isAccepted = ({ http }: Probe): boolean => http === undefined || (http.status >= 200 && http.status < 300)
