import {
  at,
  idKey,
  isObject,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  notification,
  type ServerPeer,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

/** What we answer in the end. */
const ANSWERS: Record<string, JsonObject> = {
  'roots/list': { roots: [] },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'late' }, model: 'none' },
  'elicitation/create': { action: 'cancel' },
}

interface Fixture {
  asks: string
  params: { name: string; arguments: JsonObject }
}

const FIXTURES: Fixture[] = [
  { asks: 'sampling/createMessage', params: { name: 'test_sampling', arguments: { prompt: 'hello' } } },
  { asks: 'elicitation/create', params: { name: 'test_elicitation', arguments: { message: 'hello' } } },
]

export default serverScenario({
  title:
    'An unanswered request does not stop the server: it is given up with a cancellation, and answered late in vain',
  session: 'fresh',
  hello: { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
  claims: {
    usable: 'lifecycle.errors.request-timeout',
    bounded: 'lifecycle.timeout.set-for-requests',
    cancels: 'lifecycle.timeout.cancel-on-timeout',
    late: 'lifecycle.timeout.stop-waiting',
  },
  async *run(peer) {
    const asked: JsonObject[] = []
    const held: (() => void)[] = []
    for (const [method, result] of Object.entries(ANSWERS)) {
      peer.on(method, message => {
        asked.push(message)
        return new Promise(resolve => held.push(() => resolve({ result })))
      })
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const fixture = await findFixture(peer)
    const call = fixture === undefined ? undefined : peer.request('tools/call', fixture.params)
    await peer.watch()
    if (asked.length === 0) {
      yield unmet('the server sent no request of its own that could be left unanswered')
      return
    }

    const waiting = await peer.settle()
    const cancelled = peer.heard().filter(({ json }) => at(json, 'method') === 'notifications/cancelled')
    const named = new Set(cancelled.map(({ json }) => idKey(at(json, 'params', 'requestId'))))
    const isNamed = ({ id }: JsonObject): boolean => named.has(idKey(id))
    // A call that ends although the answer it needs is missing shows that the server no longer waits for it.
    const ended = peer.heard().filter(({ json }) => call !== undefined && isAnswerTo(call.id, json))
    const abandoned = ended.length === 0 ? [] : asked.filter(({ method }) => method === fixture?.asks)
    const signs = [...cancelled, ...ended]
    const gaveUp = abandoned.length > 0 || asked.some(isNamed)

    // No timeout can be demanded within this short time; but a connection must not hang on one answer until then.
    const hangs = !gaveUp && waiting.frames.some(frame => frame.kind === 'silence')
    if (gaveUp || hangs) {
      yield judge(
        'bounded',
        gaveUp,
        'a connection that does not hang on an unanswered request',
        gaveUp ? signs : waiting,
      )
    } else {
      yield unmet(`the server gave up no unanswered request within ${peer.timeouts.watchMs} ms`)
    }
    if (gaveUp)
      yield judge(
        'cancels',
        abandoned.every(isNamed),
        'notifications/cancelled for the request given up',
        signs,
        'missing',
      )
    yield judge('usable', waiting.alive, 'an answer to ping while a request of the server is unanswered', waiting)
    if (!waiting.alive) return

    for (const answer of held) answer()
    // Over HTTP a ping may overtake the answer; the second one is behind it for certain.
    await peer.settle()
    const after = await peer.settle()
    yield judge(gaveUp ? 'late' : 'usable', after.alive, 'an answer to ping after our late answer', after)
    stream?.close()
  },
  defects: [
    {
      named: 'hangs until its request is answered',
      breaks: 'bounded',
      kind: 'stuck',
      also: ['usable'],
      replace: hanging,
    },
    {
      named: 'gives up in silence',
      breaks: 'cancels',
      kind: 'missing',
      replace: { askTimeoutMs: 20, onAskTimeout: () => [] },
    },
    { named: 'answers nothing after a timeout', breaks: 'usable', kind: 'stuck', replace: deadAfterTimeout },
    { named: 'answers nothing after a late answer', breaks: 'late', kind: 'stuck', replace: deadAfterLateAnswer },
  ],
  variants: [
    { named: 'gives up soon', shows: ['bounded', 'cancels', 'late'], replace: { askTimeoutMs: 20 } },
    { named: 'asks only inside a tool', replace: { greets: () => [] } },
    { named: 'asks only for the roots', replace: { capabilities: {} } },
    { named: 'never asks', replace: { greets: () => [], capabilities: {} } },
  ],
})

async function findFixture(peer: ServerPeer): Promise<Fixture | undefined> {
  if (!isObject(peer.capabilities.tools)) return undefined
  const reply = await peer.request('tools/list')
  const tools = reply.kind === 'result' ? at(reply.result, 'tools') : undefined
  const names = Array.isArray(tools) ? tools.map(tool => at(tool, 'name')) : []
  return FIXTURES.find(({ params }) => names.includes(params.name))
}

const isAnswerTo = (id: Json, json: Json | undefined): boolean =>
  isResponse(shapeOf(json)) && idKey(at(json, 'id')) === idKey(id)

const asksForRoots = [{ method: 'roots/list' }]

function hanging() {
  let asking = false
  return {
    greets(when: 'answered' | 'initialized') {
      asking = when === 'initialized'
      return asking ? asksForRoots : []
    },
    drops: () => asking,
  }
}

function deadAfterTimeout() {
  let dead = false
  return {
    askTimeoutMs: 20,
    onAskTimeout({ id }: JsonObject) {
      dead = true
      return [notification('notifications/cancelled', { requestId: id })]
    },
    drops: () => dead,
  }
}

function deadAfterLateAnswer() {
  let dead = false
  return {
    askTimeoutMs: 20,
    parse(text: string): Json {
      const json = JSON.parse(text) as Json
      if (isResponse(shapeOf(json))) dead = true
      return json
    },
    drops: () => dead,
  }
}
