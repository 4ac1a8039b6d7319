import {
  at,
  failure,
  fateOf,
  idKey,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  type MessageFrame,
  offers,
  refusal,
  type ServerPeer,
  serverScenario,
  shapeOf,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

interface Fixture {
  asks: string
  answer: JsonObject
  call: JsonObject
}

/** Tools that cannot go on without us: as long as we say nothing, their calls are in progress for certain. */
const FIXTURES: Fixture[] = [
  {
    asks: 'sampling/createMessage',
    answer: { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'none', stopReason: 'endTurn' },
    call: { name: 'test_sampling', arguments: { prompt: 'hello' } },
  },
  {
    asks: 'elicitation/create',
    answer: { action: 'accept', content: { username: 'someone', email: 'someone@example.com' } },
    call: { name: 'test_elicitation', arguments: { message: 'hello' } },
  },
]

export default serverScenario({
  title: 'A call that is cancelled while the server waits for us gets no response, and harms nothing',
  session: 'fresh',
  needs: { capability: 'tools' },
  hello: { capabilities: { sampling: {}, elicitation: {} } },
  claims: {
    silent: 'cancellation.receive.no-response',
    graceful: 'cancellation.race.graceful',
    late: 'cancellation.send.ignore-late-response',
  },
  async *run(peer) {
    const fixture = await findFixture(peer)
    if (fixture === undefined) {
      yield unmet('fixture test_sampling or test_elicitation not offered')
      return
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    // The control: with our answer the call succeeds.
    peer.on(fixture.asks, () => ({ result: fixture.answer }))
    const control = await peer.request('tools/call', fixture.call)
    if (control.kind !== 'result' || at(control.result, 'isError') === true) {
      yield unmet(`the call of ${String(fixture.call.name)} does not succeed, even when it is not cancelled`)
      return
    }
    const { question, answer } = holding(peer, fixture)
    const { mark } = peer
    const call = peer.request('tools/call', fixture.call)
    const asked = await Promise.race([question, peer.watch().then(() => undefined)])
    if (asked === undefined) {
      yield unmet(`the second call of ${String(fixture.call.name)} asked nothing`)
      return
    }
    await call.cancel('a test')
    // Over HTTP a ping may overtake the cancellation; the second one is behind it for certain.
    await peer.settle()
    const cancelled = await peer.settle()
    yield judge('graceful', cancelled.alive, 'an answer to ping after the cancellation', await fateOf(peer, cancelled))
    if (!cancelled.alive) return

    const givenUp = peer.heard(mark).some(({ json }) => isCancellationOf(asked, json))
    answer()
    await peer.settle()
    const after = await peer.settle()
    const complaints = peer.heard(mark).filter(isComplaint)
    const calm = after.alive && complaints.length === 0
    const expected = 'an answer to ping, and no complaint, after our late response'
    if (givenUp && after.alive) yield judge('late', calm, expected, calm ? after : complaints, 'unasked')
    else if (givenUp) yield judge('late', false, expected, await fateOf(peer, after))
    else {
      yield judge('graceful', after.alive, 'an answer to ping after our response', await fateOf(peer, after))
      yield unmet('the server cancelled no request of its own', 'late')
    }
    await Promise.race([call, peer.watch()])
    const responses = peer.heard(mark).filter(({ json }) => isResponse(shapeOf(json)) && isOf(call.id, json))
    yield judge('silent', responses.length === 0, 'no response to the cancelled call', responses, 'unasked')
    stream?.close()
  },
  defects: [
    {
      named: 'answers a cancelled call with an error',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onCancelled: refusal(0, 'Request cancelled') },
    },
    {
      named: 'ignores the cancellation',
      breaks: 'silent',
      kind: 'unasked',
      replace: { stopsWhenCancelled: false, onCancelled: answer => answer },
    },
    { named: 'crashes when a call is cancelled', breaks: 'graceful', kind: 'died', program: 'crashes-when-cancelled' },
    {
      named: 'is stuck when a call is cancelled',
      breaks: 'graceful',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('notifications/cancelled')),
    },
    { named: 'is stuck at the late response', breaks: 'late', kind: 'stuck', replace: stuckAtSecondAnswer },
    {
      named: 'complains about a response under an id that it has forgotten',
      breaks: 'late',
      kind: 'unasked',
      via: 'stdio',
      replace: complainingAboutSecondAnswer,
    },
  ],
  variants: [
    {
      named: 'works on without a word',
      shows: ['silent', 'graceful'],
      replace: { stopsWhenCancelled: false },
    },
  ],
})

async function findFixture(peer: ServerPeer): Promise<Fixture | undefined> {
  for (const fixture of FIXTURES) if (await offers(peer, 'tools', String(fixture.call.name))) return fixture
  return undefined
}

/** Leaves the next request of the server open until `answer` is called. */
function holding(peer: ServerPeer, { asks, answer: result }: Fixture) {
  const held: (() => void)[] = []
  const question = new Promise<Json | undefined>(resolve => {
    peer.on(asks, message => {
      resolve(message.id)
      return new Promise(settle => held.push(() => settle({ result })))
    })
  })
  return {
    question,
    answer: () => {
      for (const settle of held) settle()
    },
  }
}

const isOf = (id: Json, json: Json | undefined): boolean => idKey(at(json, 'id')) === idKey(id)

const isCancellationOf = (id: Json, json: Json | undefined): boolean =>
  at(json, 'method') === 'notifications/cancelled' && idKey(at(json, 'params', 'requestId')) === idKey(id)

/** An error that belongs to no request. */
const isComplaint = ({ json }: MessageFrame): boolean => shapeOf(json) === 'error' && (at(json, 'id') ?? null) === null

/** Recognises the second of our completions: the first one is wanted. */
function secondAnswer() {
  let answers = 0
  return (text: string): boolean => {
    if (text.includes('"model":"none"')) answers += 1
    return answers === 2 && text.includes('"model":"none"')
  }
}

function stuckAtSecondAnswer() {
  return stuckBy(secondAnswer())()
}

/** Text that cannot be read gets an error; here a response that comes too late is text of that kind. */
function complainingAboutSecondAnswer() {
  const isLate = secondAnswer()
  return {
    parse: (text: string): Json | undefined => (isLate(text) ? undefined : (JSON.parse(text) as Json)),
    onUnparsable: () => failure(undefined, -32600, 'there is no such request'),
  }
}
