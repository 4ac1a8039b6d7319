import {
  at,
  type Fault,
  judge,
  type MessageFrame,
  request,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const encoder = new TextEncoder()
/** Characters of two, three and four bytes. The id of a request must come back, so it shows what became of them. */
const TEXT = 'é €😀'
const PAUSE_MS = 20

export default serverScenario({
  title: 'Text beyond ASCII and line breaks in strings arrive and come back unharmed',
  needs: { via: 'stdio' },
  session: 'own',
  claims: {
    utf8: 'transport-stdio.encoding.utf8',
    unbroken: 'transport-stdio.framing.no-embedded-newline',
  },
  async *run(peer) {
    const control = await peer.request('ping', undefined, { id: 'ASCII' })
    if (control.kind === 'none') {
      yield unmet('a ping with an id in ASCII is not answered')
      return
    }
    const whole = await ping(peer, `whole ${TEXT}`, bytes => [bytes])
    yield judge(
      'utf8',
      whole.answered,
      `an answer with the id "whole ${TEXT}"`,
      whole.heard,
      faultOf(whole.heard, 'in one write'),
    )
    if (whole.answered) {
      const split = await ping(peer, `split ${TEXT}`, cutInsideACharacter)
      yield judge(
        'utf8',
        split.answered,
        `an answer with the id "split ${TEXT}", cut between two writes`,
        split.heard,
        faultOf(split.heard, 'in two writes'),
      )
    }
    const lines = await ping(peer, 'two\nlines', bytes => [bytes])
    const broken = lines.heard.some(frame => frame.flaw === 'not-json')
    // An answer that is missing, or has another id, is the business of base.response.
    const outcome = broken ? 'breaks' : lines.answered ? 'holds' : 'n/a'
    yield judge(
      'unbroken',
      outcome,
      'an answer in one line, with the line break of its id escaped',
      lines.heard,
      'malformed',
    )
  },
  defects: [
    { named: 'decodes each read by itself', breaks: 'utf8', kind: 'wrong-value', replace: { reader: decodesEachRead } },
    {
      named: 'reads a code page',
      breaks: 'utf8',
      kind: 'wrong-value',
      replace: { parse: text => JSON.parse(Buffer.from(text).toString('latin1')) },
    },
    {
      named: 'writes a question mark for what is not ASCII',
      breaks: 'utf8',
      kind: 'wrong-value',
      tamper: tampers.output(asciiOnly),
    },
    {
      named: 'writes line breaks as they are',
      breaks: 'unbroken',
      kind: 'malformed',
      tamper: tampers.output(text => text.replaceAll('\\n', '\n')),
    },
  ],
  variants: [{ named: 'escapes what is not ASCII', tamper: tampers.output(escaped) }],
})

const faultOf = (heard: readonly MessageFrame[], subject: string): Fault => ({
  kind: heard.length === 0 ? 'silent' : 'wrong-value',
  subject,
})

async function ping(
  peer: ServerPeer,
  id: string,
  cut: (bytes: Uint8Array) => Uint8Array[],
): Promise<{ answered: boolean; heard: MessageFrame[] }> {
  const mark = peer.mark
  for (const piece of cut(encoder.encode(`${JSON.stringify(request(id, 'ping'))}\n`))) {
    await peer.bytes(piece)
    await peer.pause(PAUSE_MS)
  }
  await peer.settle()
  const heard = peer.heard(mark)
  return { answered: heard.some(({ json }) => at(json, 'id') === id), heard }
}

/** The last character beyond ASCII has four bytes; two of them come later. */
function cutInsideACharacter(bytes: Uint8Array): Uint8Array[] {
  const end = bytes.findLastIndex(byte => byte > 0x7f) - 1
  return [bytes.slice(0, end), bytes.slice(end)]
}

function decodesEachRead(onLine: (text: string) => void) {
  let rest = ''
  return {
    feed(chunk: Uint8Array) {
      const lines = (rest + new TextDecoder().decode(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
    end() {},
  }
}

function asciiOnly(text: string): string {
  return text.replaceAll(/[^\n -~]/gu, '?')
}

function escaped(text: string): string {
  return text.replaceAll(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
