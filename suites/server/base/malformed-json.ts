import {
  at,
  codes,
  failure,
  fateOf,
  judge,
  type Probe,
  serverScenario,
  shapeOf,
  tampers,
} from '../../../src/suite/server.ts'

/** One fault each: cut off, not quoted, one comma too many. */
const BROKEN = {
  'JSON that is cut off': '{"jsonrpc":"2.0","id":9001,"method":"ping"',
  'names without quotes': '{jsonrpc:"2.0",id:9002,method:"ping"}',
  'a comma too many': '{"jsonrpc":"2.0","id":9003,"method":"ping",}',
}

export default serverScenario({
  title: 'Text that is no JSON is refused as a parse error, without an invented id',
  session: 'own',
  claims: {
    code: 'base.error.parse-error-code',
    id: 'base.response.error-id-absent-when-unreadable',
    refused: 'transport-http.post.not-accepted-error-status',
    body: 'transport-http.post.not-accepted-body-without-id',
  },
  async *run(peer) {
    for (const [subject, text] of Object.entries(BROKEN)) {
      const probe = await peer.raw(text)
      const expected = 'error -32700 or silence, and the next ping answered'
      yield judge('code', codeOutcome(probe), expected, await fateOf(peer, probe), {
        ...(probe.alive ? { kind: 'wrong-code' } : {}),
        subject,
      })
      const ids = errorsIn(probe).map(message => at(message, 'id'))
      yield judge(
        'id',
        ids.every(id => id === undefined || id === null),
        'an error without id (or null)',
        probe,
        { kind: 'wrong-value', subject },
      )
      if (probe.http !== undefined) {
        yield judge(
          'refused',
          probe.http.status >= 400 && probe.http.status < 600,
          'an HTTP status from 400 to 599',
          probe.http,
          { subject },
        )
        const id = at(probe.http.json, 'id')
        const isMessage = at(probe.http.json, 'jsonrpc') !== undefined
        yield judge(
          'body',
          !isMessage || id === undefined ? 'holds' : id === null ? 'bends' : 'breaks',
          'a body that has no id',
          probe.http,
          { kind: 'wrong-value', subject },
        )
      }
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'invalid params instead of a parse error',
      breaks: 'code',
      kind: 'wrong-code',
      replace: { onUnparsable: () => error(-32602) },
    },
    { named: 'the server ends', breaks: 'code', kind: 'died', program: 'exits-on-malformed' },
    {
      named: 'an invented id',
      breaks: 'id',
      kind: 'wrong-value',
      also: ['body'],
      replace: { onUnparsable: () => ({ ...error(-32700), id: 1 }) },
    },
    {
      named: 'a parse error with status 200',
      breaks: 'refused',
      kind: 'wrong-status',
      via: 'http',
      replace: { malformedStatus: 200 },
    },
    {
      named: 'id 0 in the body',
      breaks: 'body',
      kind: 'wrong-value',
      also: ['id'],
      via: 'http',
      replace: { onUnparsable: () => ({ ...error(-32700), id: 0 }) },
    },
    {
      named: 'id null in the body',
      breaks: 'body',
      kind: 'wrong-value',
      verdict: 'info',
      via: 'http',
      replace: { onUnparsable: () => ({ ...error(-32700), id: null }) },
    },
  ],
  variants: [
    { named: 'silence over stdio, an empty body over HTTP', replace: { onUnparsable: () => undefined } },
    { named: 'the id null', via: 'stdio', replace: { onUnparsable: () => ({ ...error(-32700), id: null }) } },
    {
      named: 'an HTML page',
      via: 'http',
      tamper: tampers.http(answer =>
        answer.status === 400 ? { headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Request</h1>' } : undefined,
      ),
    },
  ],
})

const error = (code: number) => failure(undefined, code, 'Parse error')

const errorsIn = (probe: Probe) =>
  [...probe.messages.map(frame => frame.json)].filter(json => shapeOf(json) === 'error')

function codeOutcome(probe: Probe): boolean {
  if (!probe.alive) return false
  return errorsIn(probe).every(message => at(message, 'error', 'code') === codes.parseError)
}
