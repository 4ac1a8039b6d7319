import { at, judge, mediaType, request, serverScenario, tampers, textAt } from '../../../src/suite/server.ts'

const ID = 'stream-of-a-request'
/** How long the stream may stay open behind the response. */
const END_WITHIN_MS = 5_000

export default serverScenario({
  title: 'A request is answered by JSON, or by an event stream that carries the response and ends',
  needs: { via: 'http' },
  session: 'fresh',
  claims: {
    type: 'transport-http.post.request-content-type',
    single: 'transport-http.post.json-single-object',
    primed: 'transport-http.sse.priming-event',
    response: 'transport-http.sse.response-eventually',
    ends: 'transport-http.sse.terminate-after-response',
    event: 'transport-http.sse.one-message-per-event',
  },
  async *run(peer) {
    const id = ID
    const answer = await peer.http({
      method: 'POST',
      body: request(id, 'ping'),
      until: 'end',
      withinMs: Math.min(END_WITHIN_MS, peer.timeouts.replyMs),
    })
    const type = mediaType(answer.contentType)
    if (answer.status >= 200 && answer.status < 300) {
      yield judge(
        'type',
        answer.status === 200 && (type === 'application/json' || type === 'text/event-stream'),
        'application/json or text/event-stream',
        answer,
        answer.status === 200 ? 'wrong-type' : 'wrong-status',
      )
    }
    if (type !== 'text/event-stream') {
      if (type === 'application/json')
        yield judge(
          'single',
          textAt(answer.json, 'id') === id,
          'one object with the id of the request',
          answer,
          'wrong-type',
        )
      for (const claim of ['primed', 'response', 'ends', 'event'] as const)
        yield judge(claim, 'n/a', 'an event stream', answer)
      return
    }
    yield judge('single', 'n/a', 'an answer in JSON', answer)
    const first = answer.events.find(event => event.id !== undefined || event.data !== undefined)
    const primed = first !== undefined && first.id !== undefined && (first.data === undefined || first.data === '')
    // Ids are a MAY: without any of them there is nothing to prime, and little to blame.
    const resumable = answer.events.some(event => event.id !== undefined)
    yield judge(
      'primed',
      primed ? 'holds' : resumable ? 'breaks' : 'bends',
      'a first event with an id and empty data',
      answer,
      'missing',
    )
    for (const event of answer.events) {
      if (isMessageEvent(event))
        yield judge(
          'event',
          isOneMessage(event.data ?? ''),
          'one message in the data of each event',
          answer,
          'malformed',
        )
    }
    const place = answer.events.findIndex(event => idIn(event.data) === id)
    if (place === -1) {
      // The connection may be closed before the response, when an event id shows where to go on.
      const lastEventId = answer.events.findLast(event => event.id !== undefined)?.id
      const back = lastEventId === undefined ? undefined : await peer.listen({ lastEventId })
      const late = await back?.event(event => idIn(event.data) === id)
      back?.close()
      yield judge(
        'response',
        late !== undefined,
        'the response on the stream of its request',
        back?.http ?? answer,
        'silent',
      )
      return
    }
    yield judge('response', true, 'the response on the stream of its request', answer)
    yield judge(
      'ends',
      answer.ended === 'complete' && !answer.events.slice(place + 1).some(isMessageEvent),
      'the end of the stream behind the response',
      answer,
      answer.ended === 'complete' ? 'unasked' : 'missing',
    )
  },
  defects: [
    {
      named: 'a request is answered with 202',
      breaks: 'type',
      kind: 'wrong-status',
      tamper: tampers.http((_answer, request) =>
        textAt(request.message, 'method') === 'ping' ? { status: 202, headers: {} } : undefined,
      ),
    },
    {
      named: 'JSON as text/plain',
      breaks: 'type',
      kind: 'wrong-type',
      replace: { answerBy: () => 'json' },
      ...plainText(),
    },
    { named: 'a list in JSON', breaks: 'single', kind: 'wrong-type', ...listInJson() },
    { named: 'no priming event', breaks: 'primed', kind: 'missing', replace: { primes: () => false } },
    {
      named: 'the response never comes',
      breaks: 'response',
      kind: 'silent',
      replace: { drops: message => message.method === 'ping' },
    },
    { named: 'the stream stays open', breaks: 'ends', kind: 'missing', replace: { endsAfterResponse: false } },
    {
      named: 'two messages in one event',
      breaks: 'event',
      kind: 'malformed',
      also: ['response'],
      tamper: tampers.block((raw, message) =>
        at(message, 'id') === ID ? raw.replace(/^data: (.*)$/m, 'data: $1\ndata: $1') : raw,
      ),
    },
    {
      named: 'an event with text',
      breaks: 'event',
      kind: 'malformed',
      tamper: tampers.block((raw, message) => (at(message, 'id') === ID ? ['data: working on it\n\n', raw] : raw)),
    },
  ],
  variants: [
    { named: 'answers in JSON', shows: ['single'], replace: { answerBy: () => 'json' } },
    { named: 'no event ids', bends: ['primed'], replace: { eventId: () => undefined, primes: () => false } },
    {
      named: 'comments and foreign events',
      tamper: tampers.block(raw => [': keep-alive\n\n', raw, 'event: ping\ndata: now\n\n']),
    },
  ],
})

const idIn = (data: string | undefined): unknown => {
  try {
    return at(JSON.parse(data ?? ''), 'id')
  } catch {
    return undefined
  }
}

/** An event that dispatches a message: other types and empty data say nothing. */
const isMessageEvent = (event: { event?: string; data?: string }): boolean =>
  event.data !== undefined && event.data !== '' && (event.event === undefined || event.event === 'message')

const isOneMessage = (data: string): boolean => {
  try {
    return at(JSON.parse(data), 'jsonrpc') === '2.0'
  } catch {
    return false
  }
}

function plainText() {
  return {
    tamper: tampers.http((answer, request) =>
      textAt(request.message, 'method') === 'ping'
        ? { headers: { ...answer.headers, 'Content-Type': 'text/plain' } }
        : undefined,
    ),
  }
}

function listInJson() {
  return {
    tamper: tampers.http((answer, request) =>
      textAt(request.message, 'method') === 'ping'
        ? {
            headers: { ...answer.headers, 'Content-Type': 'application/json' },
            body: '[{"jsonrpc":"2.0","id":"stream-of-a-request","result":{}}]',
          }
        : undefined,
    ),
  }
}
