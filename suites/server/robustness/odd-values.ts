import {
  at,
  fateOf,
  isResponse,
  judge,
  type Outcome,
  type Probe,
  type ServerPeer,
  serverScenario,
  shapeOf,
  stuckBy,
  unmet,
} from '../../../src/suite/server.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** Legal JSON still, but more than anybody needs: whoever dies of it is warned, not failed. */
const EXCESSIVE = nested(10_000)

/**
 * Values as they stand in the text of the message, and the ordinary value that the control has in
 * their place. `refusable`: an implementation may have a limit there, so that an error is right.
 */
const PROBES = [
  { claim: 'depth', control: nested(10), values: [nested(1_000), EXCESSIVE], refusable: true },
  {
    claim: 'numbers',
    control: '1',
    values: ['1e400', '-1e400', '18446744073709551616', `0.${'1234567890'.repeat(40)}`],
    refusable: true,
  },
  { claim: 'surrogates', control: '"\\u00e9"', values: ['"\\ud83d\\ude00"', '"\\ud800"'], refusable: true },
  {
    claim: 'separators',
    control: '"a\\u2028b\\u2029c\\u0085d"',
    values: ['"a\u2028b\u2029c\u0085d"'],
    refusable: false,
  },
  { claim: 'crlf', control: '1', values: ['1'], refusable: false },
] as const

export default serverScenario({
  title: 'A ping with an unusual but legal value in its _meta is answered, and so is the next one',
  session: 'own',
  // A server that these bring down would take the scenarios beside this one with it.
  harmful: true,
  claims: {
    depth: 'robustness.input.deep-nesting',
    numbers: 'robustness.input.huge-numbers',
    surrogates: 'robustness.input.surrogates',
    separators: 'robustness.input.line-separators',
    crlf: 'robustness.input.crlf',
  },
  async *run(peer) {
    let current = peer
    for (const { claim, control, values, refusable } of PROBES) {
      if (claim === 'crlf' && peer.via !== 'stdio') continue
      const first = await send(current, control, '')
      if (!first.probe.alive || !first.answered) {
        yield unmet(`a ping with ${shown(control)} in its _meta is not answered to begin with`)
        return
      }
      for (const value of values) {
        const sent = await send(current, value, claim === 'crlf' ? '\r' : '')
        const ending = claim === 'crlf' ? 'CR LF behind it' : `${shown(value)} in its _meta`
        yield judge(
          claim,
          outcomeOf(sent, value, refusable),
          `an answer${refusable ? ' or a refusal' : ''} to a ping with ${ending}, and to the next one`,
          await fateOf(current, sent.probe),
          { ...(sent.probe.alive && sent.refused ? { kind: 'refused' } : {}), subject: ending },
        )
        if (sent.probe.alive) continue
        current = await peer.another({})
        break
      }
    }
  },
  defects: [
    { named: 'a stack overflow ends the process', breaks: 'depth', kind: 'died', program: 'exits-on-deep-nesting' },
    {
      named: 'deep nesting ends the conversation',
      breaks: 'depth',
      kind: 'stuck',
      replace: stuckBy(text => text.includes(nested(500))),
    },
    {
      named: 'drops what is nested too deeply',
      via: 'stdio',
      breaks: 'depth',
      kind: 'silent',
      verdict: 'warn',
      replace: {
        parse: text => (text.includes(nested(100)) ? undefined : JSON.parse(text)),
        onUnparsable: () => undefined,
      },
    },
    {
      named: 'a number beyond a double ends the conversation',
      breaks: 'numbers',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('1e400')),
    },
    {
      named: 'a number beyond 64 bits ends the conversation',
      breaks: 'numbers',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('18446744073709551616')),
    },
    {
      named: 'a lone surrogate ends the conversation',
      breaks: 'surrogates',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('\\ud800')),
    },
    {
      named: 'U+2028 is taken for a line end',
      breaks: 'separators',
      kind: 'refused',
      via: 'stdio',
      replace: { reader: onLine => readLines(/[\n\u2028\u2029\u0085]/, onLine) },
    },
    {
      named: 'raw line separators are refused',
      breaks: 'separators',
      kind: 'refused',
      replace: { parse: text => (/[\u2028\u2029\u0085]/.test(text) ? undefined : JSON.parse(text)) },
    },
    { named: 'ends at a carriage return', breaks: 'crlf', kind: 'died', program: 'exits-on-crlf' },
    {
      named: 'lines with a carriage return are no JSON',
      breaks: 'crlf',
      kind: 'refused',
      via: 'stdio',
      replace: { reader: onLine => readLines(/\n/, line => onLine(line.endsWith('\r') ? `${line}!` : line)) },
    },
  ],
  variants: [
    {
      named: 'refuses more than 100 levels',
      replace: { parse: text => (text.includes(nested(100)) ? undefined : JSON.parse(text)) },
    },
  ],
})

interface Sent {
  probe: Probe
  answered: boolean
  refused: boolean
}

/** Silence about a value that may be refused leaves the sender waiting, but the conversation goes on. */
function outcomeOf({ probe, answered, refused }: Sent, value: string, refusable: boolean): Outcome {
  if (!probe.alive) return value === EXCESSIVE ? 'bends' : 'breaks'
  if (answered || (refusable && refused)) return 'holds'
  return refusable ? 'bends' : 'breaks'
}

/** A ping with that value, then a plain one. */
async function send(peer: ServerPeer, value: string, end: '' | '\r'): Promise<Sent> {
  const message = peer.draft('ping', { _meta: { 'com.example/value': 'HERE' } })
  const probe = await peer.raw(JSON.stringify(message).replace('"HERE"', () => value) + end)
  const responses = probe.messages.filter(({ json }) => isResponse(shapeOf(json)))
  return {
    probe,
    answered: responses.some(({ json }) => at(json, 'id') === message.id),
    // A refusal often cannot name the request: the server did not read it.
    refused:
      (probe.http?.status ?? 0) >= 400 ||
      responses.some(({ json }) => shapeOf(json) === 'error' && (at(json, 'id') ?? null) === null),
  }
}

/** In ASCII, and not at length. */
function shown(value: string): string {
  const visible = value.replace(/[^ -~]/g, unit => `<U+${unit.charCodeAt(0).toString(16).padStart(4, '0')}>`)
  return visible.length > 60 ? `${visible.slice(0, 12)}… (${visible.length} characters)` : visible
}

/** A reader that ends lines at whatever the pattern says. */
function readLines(separator: RegExp, onLine: (text: string) => void) {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    feed(chunk: Uint8Array) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(separator)
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
    end() {},
  }
}
