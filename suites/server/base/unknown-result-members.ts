import {
  isToolError,
  type JsonObject,
  judge,
  listAll,
  type Reply,
  serverScenario,
  stuckBy,
  succeeded,
  unmet,
} from '../../../src/suite/server.ts'

const FIXTURE = 'test_sampling'

/** A completion as the schema has it, and what a later or richer client may add to a result. */
const COMPLETION: JsonObject = {
  role: 'assistant',
  content: { type: 'text', text: 'a completion' },
  model: 'a-model',
  stopReason: 'endTurn',
}
const MORE: JsonObject = { _meta: { 'com.example/trace': 'x' }, 'x-conformance': { depth: [1, { deep: true }] } }

export default serverScenario({
  title: 'Members of a result that the server does not know do not disturb it',
  session: 'fresh',
  hello: { capabilities: { roots: { listChanged: true }, sampling: {} } },
  claims: { copes: 'base.response.result-any-object' },
  async *run(peer) {
    let asked = 0
    const answer = (method: string, result: JsonObject): void =>
      peer.on(method, () => {
        asked += 1
        return { result }
      })
    // A client says that its roots have changed; a server that cares asks for them.
    answer('roots/list', { roots: [], ...MORE })
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    await peer.notify('notifications/roots/list_changed')
    await peer.watch()
    if (asked > 0) {
      const ping = await peer.request('ping')
      yield judge('copes', ping.kind === 'result', 'an answer to ping after a result with unknown members', ping, {
        subject: 'a result of roots/list',
      })
    }
    stream?.close()

    const { entries } = Object.hasOwn(peer.capabilities, 'tools')
      ? await listAll(peer, 'tools/list', 'tools')
      : { entries: [] }
    if (!entries.some(tool => tool.name === FIXTURE)) {
      if (asked === 0) yield unmet(`the server asked for nothing, and the fixture ${FIXTURE} is not offered`)
      return
    }
    const call = (): PromiseLike<Reply> =>
      peer.request('tools/call', { name: FIXTURE, arguments: { prompt: 'Say something' } })
    answer('sampling/createMessage', COMPLETION)
    const control = await call()
    if (!succeeded(control)) {
      yield unmet(`${FIXTURE} does not succeed with an ordinary completion`)
      return
    }
    answer('sampling/createMessage', { ...COMPLETION, ...MORE })
    const reply = await call()
    yield judge(
      'copes',
      succeeded(reply),
      'the tool to succeed as before, with unknown members in the completion',
      reply,
      { ...(isToolError(reply) ? { kind: 'refused' } : {}), subject: 'a result of sampling/createMessage' },
    )
  },
  defects: [
    {
      named: 'does not take results with members that it does not know',
      breaks: 'copes',
      kind: 'refused',
      replace: { parse: text => (isExtended(text) ? undefined : JSON.parse(text)) },
    },
    { named: 'hangs after such a result', breaks: 'copes', kind: 'silent', replace: stuckBy(text => isExtended(text)) },
  ],
  variants: [
    { named: 'has no tools', replace: { capabilities: {} } },
    {
      named: 'has no GET stream',
      via: 'http',
      replace: { get: () => ({ status: 405, reason: 'no stream' }) },
    },
  ],
})

const isExtended = (text: string): boolean => text.includes('"x-conformance"')
