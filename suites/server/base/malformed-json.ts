import { at, codes, judge, type Probe, serverScenario, shapeOf, tampers } from '../../../src/suite/server.ts'

/** One fault each: cut off, not quoted, one comma too many. */
const BROKEN = [
  '{"jsonrpc":"2.0","id":9001,"method":"ping"',
  '{jsonrpc:"2.0",id:9002,method:"ping"}',
  '{"jsonrpc":"2.0","id":9003,"method":"ping",}',
]

export default serverScenario({
  title: 'Text that is no JSON is refused as a parse error, without an invented id',
  session: 'fresh',
  claims: {
    code: 'base.error.parse-error-code',
    id: 'base.response.error-id-absent-when-unreadable',
    refused: 'transport-http.post.not-accepted-error-status',
    body: 'transport-http.post.not-accepted-body-without-id',
  },
  async *run(peer) {
    for (const text of BROKEN) {
      const probe = await peer.raw(text)
      yield judge('code', codeOutcome(probe), 'error -32700 or silence, and the next ping answered', probe)
      const ids = errorsIn(probe).map(message => at(message, 'id'))
      yield judge(
        'id',
        ids.every(id => id === undefined || id === null),
        'an error without id (or null)',
        probe,
      )
      if (probe.http !== undefined) {
        yield judge(
          'refused',
          probe.http.status >= 400 && probe.http.status < 600,
          'an HTTP status from 400 to 599',
          probe.http,
        )
        const id = at(probe.http.json, 'id')
        const isMessage = at(probe.http.json, 'jsonrpc') !== undefined
        yield judge(
          'body',
          !isMessage || id === undefined ? 'holds' : id === null ? 'bends' : 'breaks',
          'a body that has no id',
          probe.http,
        )
      }
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'invalid params instead of a parse error',
      breaks: 'code',
      replace: { onUnparsable: () => error(-32602) },
    },
    { named: 'the server ends', breaks: 'code', program: 'exits-on-malformed' },
    {
      named: 'an invented id',
      breaks: 'id',
      also: ['body'],
      replace: { onUnparsable: () => ({ ...error(-32700), id: 1 }) },
    },
    { named: 'a parse error with status 200', breaks: 'refused', via: 'http', replace: { malformedStatus: 200 } },
    {
      named: 'id 0 in the body',
      breaks: 'body',
      also: ['id'],
      via: 'http',
      replace: { onUnparsable: () => ({ ...error(-32700), id: 0 }) },
    },
    {
      named: 'id null in the body',
      breaks: 'body',
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

const error = (code: number) => ({ jsonrpc: '2.0', error: { code, message: 'Parse error' } })

const errorsIn = (probe: Probe) =>
  [...probe.messages.map(frame => frame.json)].filter(json => shapeOf(json) === 'error')

function codeOutcome(probe: Probe): boolean {
  if (!probe.alive) return false
  return errorsIn(probe).every(message => at(message, 'error', 'code') === codes.parseError)
}
