import { judge, request, serverScenario } from '../../../src/suite/server.ts'

const ping = (id: string): string => JSON.stringify(request(id, 'ping'))

export default serverScenario({
  title: 'How bytes are grouped into writes makes no difference',
  needs: { via: 'stdio' },
  session: 'own',
  claims: {
    chunks: 'transport-stdio.framing.chunk-independent',
    reads: 'transport-stdio.io.server-uses-stdin-stdout',
  },
  async *run(peer) {
    const opening = peer.opening
    if (opening !== undefined)
      yield judge('reads', opening.kind !== 'none', 'an answer on stdout to a line on stdin', opening)
    const control = await peer.request('ping', undefined, { id: 'control' })
    if (control.kind !== 'result') return
    const send = async (...parts: string[]): Promise<string[]> => {
      const mark = peer.mark
      for (const part of parts.slice(0, -1)) {
        await peer.bytes(part)
        await peer.pause(20)
      }
      await peer.raw(new TextEncoder().encode(parts.at(-1)))
      return peer.heard(mark).map(frame => String((frame.json as { id?: unknown } | undefined)?.id))
    }
    const one = ping('in-three-writes')
    const pieces = await send(one.slice(0, 10), one.slice(10, 25), `${one.slice(25)}\n`)
    yield judge(
      'chunks',
      pieces.includes('in-three-writes'),
      'an answer to a message in three writes',
      {
        text: said(pieces),
        frames: peer.heard(),
      },
      { kind: 'silent', subject: 'a message in three writes' },
    )
    const two = await send(`${ping('first')}\n${ping('second')}\n`)
    yield judge(
      'chunks',
      two.includes('first') && two.includes('second'),
      'answers to two messages in one write',
      {
        text: said(two),
        frames: peer.heard(),
      },
      { kind: 'silent', subject: 'two messages in one write' },
    )
    const padded = JSON.stringify(request('large', 'ping', { _meta: { 'com.example/pad': 'x'.repeat(1024 * 1024) } }))
    const large = await send(`${padded}\n`)
    yield judge(
      'chunks',
      large.includes('large'),
      'an answer to a message of 1 MiB',
      {
        text: said(large),
        frames: peer.heard().slice(-2),
      },
      { kind: 'silent', subject: 'a message of 1 MiB' },
    )
  },
  defects: [
    {
      named: 'takes each read for a message',
      breaks: 'chunks',
      kind: 'silent',
      replace: { reader: onLine => ({ feed: chunk => onLine(new TextDecoder().decode(chunk)), end() {} }) },
    },
    { named: 'reads lines of 64 KiB at most', breaks: 'chunks', kind: 'silent', program: 'short-lines' },
    { named: 'answers on stderr', breaks: 'reads', kind: 'silent', program: 'answers-on-stderr' },
    { named: 'waits for Content-Length headers', breaks: 'reads', kind: 'silent', replace: { reader: readsHeaders } },
  ],
})

const said = (ids: string[]): string => (ids.length === 0 ? 'no answer' : `answers to ${ids.join(', ')}`)

/** Takes what comes for headers until an empty line ends them. */
function readsHeaders(onLine: (text: string) => void) {
  let text = ''
  return {
    feed(chunk: Uint8Array) {
      text += new TextDecoder().decode(chunk)
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/^Content-Length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (body === undefined || body.length < length) return
      onLine(body.slice(0, length))
      text = body.slice(length)
    },
    end() {},
  }
}
