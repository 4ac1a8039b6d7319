import { at, judge, type MessageFrame, type ServerPeer, serverScenario, unmet } from '../../../src/suite/server.ts'

const encoder = new TextEncoder()
const PIECE_BYTES = 5
const PAUSE_MS = 20

export default serverScenario({
  title: 'A message that arrives slowly, a few bytes at a time, is answered like any other',
  session: 'own',
  claims: { slow: 'robustness.input.slow-writer' },
  async *run(peer) {
    const whole = await ping(peer, 'at-once', bytes => [bytes])
    if (!whole.answered) {
      yield unmet('a ping in one piece, with a text as id, is not answered to begin with')
      return
    }
    const slow = await ping(peer, 'slowly', inPieces)
    const kind = slow.heard.some(({ json }) => at(json, 'error') !== undefined) ? 'refused' : 'silent'
    yield judge('slow', slow.answered, `an answer to a ping in pieces of ${PIECE_BYTES} bytes`, slow.heard, kind)
  },
  defects: [
    {
      named: 'gives up a line that takes more than five reads',
      breaks: 'slow',
      kind: 'silent',
      via: 'stdio',
      replace: { reader: impatient },
    },
    {
      named: 'gives up a body that takes more than five reads',
      breaks: 'slow',
      kind: 'refused',
      via: 'http',
      replace: { readBody: chunks => (chunks.length > 5 ? '' : Buffer.concat(chunks).toString()) },
    },
  ],
  variants: [{ named: 'answers in JSON', via: 'http', replace: { answerBy: () => 'json' } }],
})

/** Sends a ping with that id in the pieces that `cut` makes of it. */
async function ping(
  peer: ServerPeer,
  id: string,
  cut: (bytes: Uint8Array) => Uint8Array[],
): Promise<{ answered: boolean; heard: MessageFrame[] }> {
  const mark = peer.mark
  const message = JSON.stringify({ ...peer.draft('ping'), id })
  if (peer.via === 'http') {
    await peer.http({ method: 'POST', pieces: cut(encoder.encode(message)) })
  } else {
    for (const piece of cut(encoder.encode(`${message}\n`))) {
      await peer.bytes(piece)
      await peer.pause(PAUSE_MS)
    }
    await peer.settle()
  }
  const heard = peer.heard(mark)
  return { answered: heard.some(({ json }) => at(json, 'id') === id), heard }
}

const inPieces = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    bytes.slice(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  )

function impatient(onLine: (text: string) => void) {
  let reads: Uint8Array[] = []
  return {
    feed(chunk: Uint8Array) {
      reads.push(chunk)
      if (chunk.at(-1) !== 0x0a) return
      if (reads.length <= 5) for (const line of Buffer.concat(reads).toString().split('\n')) onLine(line)
      reads = []
    },
    end() {},
  }
}
