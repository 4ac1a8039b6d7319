import {
  at,
  clientScenario,
  codes,
  endKind,
  failure,
  fateOfClient,
  judge,
  shapeOf,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { gaveUp, saying } from './_odd-text.ts'

/** One fault each: cut off, not quoted, one comma too many. */
const BROKEN = saying([
  { what: 'a message that is cut off', text: '{"jsonrpc":"2.0","id":9001,"method":"ping"' },
  { what: 'a message without quotes', text: '{jsonrpc:"2.0",id:9002,method:"ping"}' },
  { what: 'a message with a comma too many', text: '{"jsonrpc":"2.0","id":9003,"method":"ping",}' },
])

export default clientScenario({
  title: 'The client treats text that is no JSON as a parse error, and invents no id for it',
  script: BROKEN,
  claims: {
    code: 'base.error.parse-error-code',
    id: 'base.response.error-id-absent-when-unreadable',
  },
  *run(seen) {
    const { control, probes } = seen.notes
    if (control === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (control.kind === 'none') yield unmet('the client does not even answer a ping')
    for (const { what, answers, barrier } of probes) {
      const errors = answers.filter(({ json }) => shapeOf(json) === 'error')
      const right = errors.every(({ json }) => at(json, 'error', 'code') === codes.parseError)
      const silence =
        barrier.kind === 'none'
          ? fateOfClient(seen)
          : { text: 'silence, and an answer to the ping', frames: barrier.frames }
      const got = errors.length > 0 ? errors : silence
      const expected = `error -32700 or silence to ${what}, and an answer to the ping behind it`
      const outcome = !right ? 'breaks' : gaveUp(seen, barrier) ? 'n/a' : barrier.kind !== 'none'
      yield judge('code', outcome, expected, got, { kind: right ? endKind(seen) : 'wrong-code', subject: what })
      const ids = answers.map(({ json }) => at(json, 'id'))
      const free = ids.every(id => id === undefined || id === null)
      const said = answers.length > 0 ? answers : barrier
      yield judge('id', free, 'no answer, or an error without id (or null)', said, { subject: what })
    }
  },
  defects: [
    {
      named: 'invalid params instead of a parse error',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onUnparsable: () => error(codes.invalidParams) },
    },
    {
      named: 'crashes at text that it cannot read',
      breaks: 'code',
      kind: 'died',
      replace: { parse: text => JSON.parse(text) },
    },
    {
      named: 'ends at text that it cannot read',
      breaks: 'code',
      kind: 'died',
      via: 'stdio',
      replace: { parse: text => JSON.parse(text), exits: { done: 0, failed: 1, unknownScenario: 127, crashed: 1 } },
    },
    {
      named: 'an invented id',
      breaks: 'id',
      kind: 'wrong-value',
      replace: { onUnparsable: () => ({ ...error(codes.parseError), id: 1 }) },
    },
    {
      named: 'finds an id in the broken text',
      breaks: 'id',
      kind: 'wrong-value',
      replace: {
        onUnparsable: text => ({ ...error(codes.parseError), id: Number(/"?id"?:(\d+)/.exec(text)?.[1] ?? 0) }),
      },
    },
  ],
  variants: [
    {
      named: 'gives up the request whose answer it cannot read',
      via: 'http',
      shows: ['id'],
      replace: { parse: text => JSON.parse(text), exits: { done: 0, failed: 1, unknownScenario: 127, crashed: 1 } },
    },
    { named: 'an error without id', replace: { onUnparsable: () => error(codes.parseError) } },
    { named: 'an error with the id null', replace: { onUnparsable: () => ({ ...error(codes.parseError), id: null }) } },
  ],
})

const error = (code: number) => failure(undefined, code, 'Parse error')
