import { at, isObject, judge, serverScenario, shapeOf, success, unmet } from '../../../src/suite/server.ts'

/** Requests that need a capability of the client. */
const BOUND = [/^roots\//, /^sampling\//, /^elicitation\//, /^tasks\//]

/** Tools of the official contract that cannot work without the client. */
const FIXTURES = [
  { name: 'test_sampling', arguments: { prompt: 'hello' } },
  { name: 'test_elicitation', arguments: { message: 'hello' } },
]

export default serverScenario({
  title: 'A client that offers nothing is asked for nothing, and a tool that would need more says so',
  claims: {
    asks: 'lifecycle.operation.server-only-negotiated-capabilities',
    handled: 'lifecycle.errors.capability-failure',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const offered = new Set<unknown>()
    for (const capability of ['tools', 'resources', 'prompts']) {
      if (!isObject(peer.capabilities[capability])) continue
      const reply = await peer.request(`${capability}/list`)
      const listed = reply.kind === 'result' ? at(reply.result, capability) : undefined
      for (const one of capability === 'tools' && Array.isArray(listed) ? listed : []) offered.add(at(one, 'name'))
    }
    const usable = FIXTURES.filter(({ name }) => offered.has(name))
    if (usable.length === 0) yield unmet('fixture test_sampling or test_elicitation not offered')
    for (const fixture of usable) {
      const reply = await peer.request('tools/call', fixture)
      const outcome =
        reply.kind === 'none'
          ? 'breaks'
          : reply.kind !== 'result' || at(reply.result, 'isError') === true
            ? 'holds'
            : // A normal result may say it in words; nobody but a reader can tell.
              'bends'
      yield judge('handled', outcome, 'an error, or a result with isError', reply, {
        kind: 'accepted',
        subject: fixture.name,
      })
    }
    await peer.settle()
    const uninvited = peer
      .heard()
      .filter(({ json }) => shapeOf(json) === 'request' && BOUND.some(bound => bound.test(String(at(json, 'method')))))
    const expected = 'no request that needs a capability we did not declare'
    if (uninvited.length === 0) yield judge('asks', true, expected, uninvited)
    for (const frame of uninvited)
      yield judge('asks', false, expected, frame, { kind: 'unasked', subject: String(at(frame.json, 'method')) })
    stream?.close()
  },
  defects: [
    {
      named: 'asks for the roots all the same',
      breaks: 'asks',
      kind: 'unasked',
      replace: { greets: when => (when === 'initialized' ? [{ method: 'roots/list' }] : []) },
    },
    {
      named: 'a tool waits for ever',
      breaks: 'handled',
      kind: 'silent',
      replace: { drops: message => message.method === 'tools/call' },
    },
    {
      named: 'a tool goes on as if it had been helped',
      breaks: 'handled',
      kind: 'accepted',
      verdict: 'info',
      tamper: out =>
        out.layer === 'message' && out.cause?.method === 'tools/call'
          ? [{ ...out, message: success({ content: [] })(out.cause) }]
          : [out],
    },
  ],
  variants: [
    { named: 'no tools', replace: { capabilities: {} } },
    { named: 'no GET stream', via: 'http', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    {
      named: 'pings and logs',
      replace: {
        greets: when =>
          when === 'initialized'
            ? [{ method: 'ping' }, { method: 'notifications/message', params: { level: 'info', data: 'hello' } }]
            : [],
      },
    },
  ],
})
