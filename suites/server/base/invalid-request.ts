import {
  at,
  codes,
  type Fault,
  failure,
  fateOf,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  type Outcome,
  type Probe,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

/** JSON objects that are no requests: each differs from a correct ping in one thing. */
const INVALID: { what: string; message: JsonObject }[] = [
  { what: 'no method', message: { jsonrpc: '2.0', id: 'invalid-request-1' } },
  { what: 'jsonrpc "1.0"', message: { jsonrpc: '1.0', id: 'invalid-request-2', method: 'ping' } },
]

export default serverScenario({
  title: 'JSON that is no request of JSON-RPC 2.0 is reported with error -32600',
  session: 'own',
  claims: { code: 'base.error.invalid-request-code' },
  async *run(peer) {
    const control = await peer.request('ping')
    if (control.kind !== 'result') {
      yield unmet('a correct ping was not answered with a result')
      return
    }
    for (const { what, message } of INVALID) {
      const probe = await peer.raw(message)
      const expected = `error -32600 to a message with ${what}, and the next ping answered`
      yield judge('code', outcomeOf(probe), expected, await fateOf(peer, probe), { ...faultOf(probe), subject: what })
      if (!probe.alive) return
    }
  },
  defects: [
    { named: 'error -32000', breaks: 'code', kind: 'wrong-code', replace: { onInvalid: () => error(-32000) } },
    {
      named: 'calls it a parse error',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onInvalid: () => error(codes.parseError) },
    },
    { named: 'stops answering', breaks: 'code', kind: 'stuck', replace: stopsAfterInvalid },
  ],
  variants: [
    { named: 'says nothing, or HTTP 400 only', bends: ['code'], replace: { onInvalid: () => undefined } },
    {
      named: 'the error has no id',
      replace: { onInvalid: () => error(codes.invalidRequest) },
    },
  ],
})

const error = (code: number): JsonObject => failure(undefined, code, 'Invalid Request')

/** No clause demands an answer at all, and none says what a wrong `jsonrpc` does: silence and a result only bend. */
function outcomeOf(probe: Probe): Outcome {
  if (!probe.alive) return 'breaks'
  const found = codesIn(probe)
  if (found.length === 0) return 'bends'
  return found.every(code => code === codes.invalidRequest) ? 'holds' : 'breaks'
}

function faultOf(probe: Probe): Fault {
  if (!probe.alive) return {}
  if (codesIn(probe).length > 0) return { kind: 'wrong-code' }
  return probe.messages.some(({ json }) => at(json, 'result') !== undefined) ? { kind: 'accepted' } : {}
}

const codesIn = ({ messages }: Probe): (Json | undefined)[] =>
  messages
    .filter(({ json }) => isResponse(shapeOf(json)))
    .map(({ json }) => at(json, 'error', 'code'))
    .filter(code => code !== undefined)

function stopsAfterInvalid() {
  let stopped = false
  return {
    onInvalid: () => {
      stopped = true
      return undefined
    },
    drops: () => stopped,
  }
}
