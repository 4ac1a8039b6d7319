import {
  at,
  type Completable,
  codes,
  completables,
  isObject,
  type JsonObject,
  judge,
  type Reply,
  refusal,
  refusalFault,
  serverScenario,
} from '../../../src/suite/server.ts'

/** Asked about where nothing that could be completed is listed. */
const ANYTHING: Completable = { ref: { type: 'ref/prompt', name: 'x-conformance-none' }, argument: 'x' }

export default serverScenario({
  title: 'completion/complete is answered with completions where completions are declared, else with error -32601',
  claims: {
    declared: 'completion.capability.declared',
    unsupported: 'completion.errors.unsupported',
  },
  async *run(peer) {
    const expected = 'the capability completions where completion/complete is served'
    if (isObject(peer.capabilities.completions)) {
      yield judge('declared', 'holds', expected, peer.opening ?? [])
      yield judge('unsupported', 'n/a', 'a server without the capability completions', peer.opening ?? [])
      return
    }
    const { ref, argument } = (await completables(peer))[0] ?? ANYTHING
    const reply = await peer.request('completion/complete', {
      ref: { ...ref },
      argument: { name: argument, value: '' },
    })
    const served = reply.kind === 'result'
    yield judge('declared', served ? values(reply) : misspelt(peer.capabilities), expected, reply, 'missing')
    // A result is no error of the wrong kind: it is judged by the other clause.
    const refused = reply.kind === 'error' && reply.code === codes.methodNotFound
    yield judge('unsupported', served ? 'n/a' : refused, 'error -32601', reply, refusalFault(reply))
  },
  defects: [
    {
      named: 'completes without having said so',
      breaks: 'declared',
      kind: 'missing',
      replace: serving({ completion: { values: ['a'] } }),
    },
    {
      named: 'has an empty completion for whoever asks',
      breaks: 'declared',
      kind: 'missing',
      verdict: 'warn',
      replace: serving({ completion: { values: [] } }),
    },
    {
      named: 'declares completion, in the singular',
      breaks: 'declared',
      kind: 'missing',
      verdict: 'warn',
      replace: { capabilities: { prompts: {}, completion: {} } },
    },
    {
      named: 'refuses with invalid params',
      breaks: 'unsupported',
      kind: 'wrong-code',
      replace: { capabilities: { prompts: {} }, onUnknownMethod: refusal(codes.invalidParams) },
    },
    {
      named: 'does not answer at all',
      breaks: 'unsupported',
      kind: 'silent',
      replace: { capabilities: {}, onUnknownMethod: () => undefined },
    },
  ],
  variants: [
    { named: 'has no completions', shows: ['unsupported'], replace: { capabilities: { prompts: {}, resources: {} } } },
    { named: 'has nothing', shows: ['unsupported'], replace: { capabilities: {} } },
  ],
})

/** An empty list is often the answer of a framework to everything: it gives no completion away. */
function values(reply: Reply): 'bends' | 'breaks' {
  const found = reply.kind === 'result' ? at(reply.result, 'completion', 'values') : undefined
  return Array.isArray(found) && found.length === 0 ? 'bends' : 'breaks'
}

/** The name is plural: nobody looks for the other one. */
const misspelt = (capabilities: JsonObject): 'bends' | 'n/a' =>
  capabilities.completion === undefined ? 'n/a' : 'bends'

function serving(result: JsonObject) {
  return { capabilities: { prompts: {} }, extraMethods: { 'completion/complete': () => result } }
}
