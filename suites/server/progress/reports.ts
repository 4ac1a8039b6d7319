import {
  at,
  idKey,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  type MessageFrame,
  notification,
  type ServerPeer,
  serverScenario,
  shapeOf,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const TOOL = 'test_tool_with_progress'
/** Legal tokens that a careless test takes for none. */
const EMPTY: Json[] = [0, '']

export default serverScenario({
  title: 'Progress is reported with the very token of the request, without a token never, and not after the response',
  needs: { capability: 'tools', fixture: { tool: TOOL } },
  claims: {
    echoes: 'progress.notify.echo-token',
    empty: 'progress.token.type',
    unasked: 'progress.notify.only-known-token',
    stops: 'progress.notify.stop-after-completion',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const first = await called(peer, 'abc')
    if (first.reports.length === 0) {
      // A server is free to report nothing, and over HTTP an answer in JSON leaves no room for it.
      yield unmet(`${TOOL} reported no progress`)
      return
    }
    yield* echoed(first.reports, 'abc')
    const second = await called(peer, 12)
    yield* echoed(second.reports, 12)
    const behind = await lingering(peer)
    yield judge('stops', behind.length === 0, 'no progress behind the response', behind, 'unasked')
    for (const token of EMPTY) {
      const { reports, reply } = await called(peer, token)
      const expected = `progress with the token ${JSON.stringify(token)}, as with any other`
      yield judge('empty', reports.length > 0 ? 'holds' : 'bends', expected, reports.length > 0 ? reports : reply, {
        kind: 'missing',
        subject: `the token ${JSON.stringify(token)}`,
      })
    }
    const { reports } = await called(peer, undefined)
    yield judge('unasked', reports.length === 0, 'no progress without a token', reports, 'unasked')
    stream?.close()
  },
  defects: [
    {
      named: 'converts integers to strings',
      breaks: 'echoes',
      kind: 'wrong-value',
      also: ['empty'],
      ...retoken(String),
    },
    {
      named: 'a token of its own',
      breaks: 'echoes',
      kind: 'wrong-value',
      also: ['empty'],
      ...retoken(() => 'test_tool_with_progress-1'),
    },
    {
      named: 'takes 0 and "" for no token',
      breaks: 'empty',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.message(message =>
        message.method === 'notifications/progress' && !at(message, 'params', 'progressToken') ? undefined : message,
      ),
    },
    {
      named: 'reports where nobody asked',
      breaks: 'unasked',
      kind: 'unasked',
      tamper: tampers.message((message, cause) =>
        cause?.method === 'tools/call' && at(cause, 'params', '_meta') === undefined
          ? [progress(cause.id as Json), message]
          : message,
      ),
    },
    {
      named: 'reports once more behind the result',
      breaks: 'stops',
      kind: 'unasked',
      tamper: tampers.message((message, cause) =>
        at(message, 'result') !== undefined && at(cause, 'params', '_meta', 'progressToken') !== undefined
          ? [message, progress(at(cause, 'params', '_meta', 'progressToken') as Json)]
          : message,
      ),
    },
  ],
  variants: [
    { named: 'answers in JSON', via: 'http', replace: { answerBy: () => 'json' } },
    {
      named: 'reports once',
      shows: ['echoes', 'empty', 'unasked', 'stops'],
      tamper: tampers.message(message =>
        message.method === 'notifications/progress' && at(message, 'params', 'progress') !== 100 ? undefined : message,
      ),
    },
    {
      named: 'reports nothing',
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
  ],
})

/** Calls the tool; all progress that came, and the reply. */
async function called(peer: ServerPeer, token: Json | undefined) {
  const { mark } = peer
  const options = token === undefined ? {} : { meta: { progressToken: token } }
  const reply = await peer.request('tools/call', { name: TOOL, arguments: {} }, options)
  await peer.settle()
  const reports = peer.heard(mark).filter(({ json }) => at(json, 'method') === 'notifications/progress')
  return { reports, reply }
}

function* echoed(reports: MessageFrame[], token: Json) {
  const foreign = reports.filter(({ json }) => idKey(at(json, 'params', 'progressToken')) !== idKey(token))
  const expected = `the token ${JSON.stringify(token)} in each progress notification`
  yield judge('echoes', foreign.length === 0, expected, foreign, { subject: `the token ${JSON.stringify(token)}` })
}

/** Progress behind the response, on the stream of that response: between streams the order proves nothing. */
async function lingering(peer: ServerPeer): Promise<MessageFrame[]> {
  const { mark } = peer
  const token = 'until the end'
  const body = peer.draft('tools/call', { name: TOOL, arguments: {}, _meta: { progressToken: token } })
  // Over HTTP the stream is read until the server ends it.
  if (peer.via === 'http') await peer.http({ method: 'POST', body, until: 'end' })
  else {
    const { id, method, params } = body as { id: number; method: string; params: JsonObject }
    await peer.request(method, params, { id })
    await peer.settle()
  }
  const said = peer.heard(mark)
  const response = said.find(({ json }) => isResponse(shapeOf(json)) && at(json, 'id') === body.id)
  return said.filter(
    ({ seq, json, exchange }) =>
      at(json, 'params', 'progressToken') === token &&
      seq > (response?.seq ?? Number.POSITIVE_INFINITY) &&
      exchange === response?.exchange,
  )
}

const progress = (progressToken: Json) =>
  notification('notifications/progress', { progressToken, progress: 101, total: 101 })

function retoken(rename: (token: Json | undefined) => Json) {
  return {
    tamper: tampers.message(message => {
      const progressToken = at(message, 'params', 'progressToken')
      return message.method === 'notifications/progress'
        ? { ...message, params: { progressToken: rename(progressToken), progress: 1 } }
        : message
    }),
  }
}
