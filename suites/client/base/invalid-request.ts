import {
  at,
  clientScenario,
  codes,
  endKind,
  failure,
  fateOfClient,
  type JsonObject,
  judge,
  type MessageFrame,
  type Outcome,
  shapeOf,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { gaveUp, saying } from './_odd-text.ts'

/** Each differs from a correct ping in one thing. */
const INVALID = saying([
  { what: 'a message without method', text: '{"jsonrpc":"2.0","id":"invalid-request-1"}' },
  { what: 'jsonrpc "1.0"', text: '{"jsonrpc":"1.0","id":"invalid-request-2","method":"ping"}' },
])

export default clientScenario({
  title: 'The client reports JSON that is no request of JSON-RPC 2.0 with error -32600, if at all',
  script: INVALID,
  claims: { code: 'base.error.invalid-request-code' },
  *run(seen) {
    const { control, probes } = seen.notes
    if (control === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (control.kind === 'none') yield unmet('the client does not even answer a ping')
    for (const { what, answers, barrier } of probes) {
      const lost = barrier.kind === 'none'
      const silence = lost ? fateOfClient(seen) : { text: 'silence, and an answer to the ping', frames: barrier.frames }
      const got = answers.length > 0 ? answers : silence
      const expected = `error -32600 to ${what}, and an answer to the ping behind it`
      const outcome = gaveUp(seen, barrier) ? 'n/a' : lost ? 'breaks' : outcomeOf(answers)
      const kind = answers.length === 0 ? endKind(seen) : outcome === 'bends' ? 'accepted' : 'wrong-code'
      yield judge('code', outcome, expected, got, { kind, subject: what })
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
    {
      named: 'ends at it',
      breaks: 'code',
      kind: 'died',
      replace: {
        onInvalid: () => {
          throw new Error('invalid message')
        },
      },
    },
  ],
  variants: [
    {
      named: 'an error without id',
      shows: ['code'],
      replace: { onInvalid: () => error(codes.invalidRequest) },
    },
    {
      named: 'an error with the id that it could read',
      shows: ['code'],
      replace: { onInvalid: json => ({ ...error(codes.invalidRequest), id: at(json, 'id') ?? null }) },
    },
  ],
})

const error = (code: number): JsonObject => failure(undefined, code, 'Invalid Request')

/** No clause demands an answer at all, and none says what a wrong `jsonrpc` does: silence says nothing, and a result bends. */
function outcomeOf(answers: readonly MessageFrame[]): Outcome {
  const errors = answers.filter(({ json }) => shapeOf(json) === 'error')
  if (errors.length === 0) return answers.length === 0 ? 'n/a' : 'bends'
  return errors.every(({ json }) => at(json, 'error', 'code') === codes.invalidRequest) ? 'holds' : 'breaks'
}
