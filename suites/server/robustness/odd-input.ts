import { fateOf, judge, serverScenario, stuckBy, unmet } from '../../../src/suite/server.ts'

const encoder = new TextEncoder()
const ILL_FORMED = [0xc3, 0x28, 0xff]
const LF = 0x0a

/** Each text is followed by a ping; how the text itself is answered is judged elsewhere. */
const PROBES = [
  ['json', ['{not json', '{"jsonrpc":"2.0","method":"x","params":', 'hello', '"', '{"jsonrpc":"2.0",}']],
  ['utf8', [[...encoder.encode('{"jsonrpc":"2.0","id":"utf8","method":"ping","params":{"_meta":{"com.example/x":"')]]],
  [
    'envelope',
    [
      '42',
      '"text"',
      'null',
      '{}',
      '[]',
      '[{"jsonrpc":"2.0","id":"batched","method":"ping"}]',
      '{"jsonrpc":"1.0","id":"old","method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":"number","method":5}',
    ],
  ],
  [
    'nulls',
    [
      '{"jsonrpc":"2.0","id":"params","method":"ping","params":null}',
      '{"jsonrpc":"2.0","id":"meta","method":"ping","params":{"_meta":null}}',
    ],
  ],
  ['blank', ['', '   ']],
] as const

export default serverScenario({
  title: 'After input that is no proper message the next ping is answered',
  session: 'own',
  // A server that these bring down would take the scenarios beside this one with it.
  harmful: true,
  claims: {
    json: 'robustness.input.malformed-json',
    utf8: 'robustness.input.invalid-utf8',
    envelope: 'robustness.input.invalid-envelope',
    nulls: 'robustness.input.null-members',
    blank: 'robustness.input.blank-lines',
  },
  async *run(peer) {
    let current = peer
    for (const [claim, inputs] of PROBES) {
      if (claim === 'blank' && peer.via !== 'stdio') continue
      // The control: a ping with nothing odd before it.
      if (!(await current.settle()).alive) {
        yield unmet('ping is not answered to begin with')
        return
      }
      for (const input of inputs) {
        const probe = await current.raw(typeof input === 'string' ? input : illFormed(input, peer.via))
        const shown = typeof input === 'string' ? JSON.stringify(input) : 'a string with the bytes C3 28 FF'
        yield judge(claim, probe.alive, `an answer to the ping behind ${shown}`, await fateOf(current, probe), {
          subject: shown,
        })
        if (probe.alive) continue
        // One death must not hide the others.
        current = await peer.another({})
        break
      }
    }
  },
  defects: [
    { named: 'ends at the first line that is no JSON', breaks: 'json', kind: 'died', program: 'exits-on-malformed' },
    {
      named: 'waits for the rest of a truncated message for ever',
      breaks: 'json',
      kind: 'stuck',
      replace: stuckBy(text => text.endsWith('"params":')),
    },
    {
      named: 'stops at a replaced character',
      breaks: 'utf8',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('\uFFFD')),
    },
    {
      named: 'ends at any message that is not valid',
      breaks: 'envelope',
      kind: 'died',
      also: ['nulls'],
      program: 'exits-on-invalid',
    },
    { named: 'stops at a bare null', breaks: 'envelope', kind: 'stuck', replace: stuckBy(text => text === 'null') },
    { named: 'stops at a batch', breaks: 'envelope', kind: 'stuck', replace: stuckBy(text => text.startsWith('[{')) },
    {
      named: 'stops at null params',
      breaks: 'nulls',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('"params":null')),
    },
    {
      named: 'a blank line ends the input',
      breaks: 'blank',
      kind: 'died',
      via: 'stdio',
      program: 'stops-at-blank-line',
    },
  ],
  variants: [
    {
      named: 'says nothing about what it cannot read',
      via: 'stdio',
      replace: { onUnparsable: () => undefined, onInvalid: () => undefined },
    },
    { named: 'refuses without a word', via: 'http', replace: { onUnparsable: () => undefined } },
  ],
})

/** Bytes get no newline from the peer. */
const illFormed = (start: readonly number[], via: 'stdio' | 'http'): Uint8Array =>
  new Uint8Array([...start, ...ILL_FORMED, ...encoder.encode('"}}}'), ...(via === 'stdio' ? [LF] : [])])
