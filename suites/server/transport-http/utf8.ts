import { at, type Fault, type HttpReply, type Json, judge, serverScenario, unmet } from '../../../src/suite/server.ts'

/** Characters of two, three and four bytes; ids are the one text that every server sends back. */
const ID = 'Grüße, 日本 und 😀'

export default serverScenario({
  title: 'Bodies are read and written as UTF-8, wherever the network cuts them',
  needs: { via: 'http' },
  claims: { utf8: 'transport-http.encoding.utf8' },
  async *run(peer) {
    const ask = (id: string) => JSON.stringify({ ...peer.draft('ping'), id })
    const control = await peer.http({ method: 'POST', body: ask('plain ASCII') })
    if (idOf(control) !== 'plain ASCII') {
      yield unmet('the control, a ping with a plain text as id, got no answer with that id')
      return
    }
    const whole = await peer.http({ method: 'POST', body: ask(`${ID} 1`) })
    yield judge(
      'utf8',
      idOf(whole) === `${ID} 1`,
      `an answer with the id "${ID} 1"`,
      whole,
      faultOf(whole, 'in one piece'),
    )
    if (idOf(whole) !== `${ID} 1`) return
    const pieces = cutInside(ask(`${ID} 2`))
    const cut = await peer.http({ method: 'POST', body: '', pieces })
    yield judge(
      'utf8',
      idOf(cut) === `${ID} 2`,
      `an answer with the id "${ID} 2", which came in pieces`,
      cut,
      faultOf(cut, 'in pieces'),
    )
  },
  defects: [
    {
      named: 'reads Latin-1',
      breaks: 'utf8',
      kind: 'wrong-value',
      replace: { readBody: chunks => Buffer.concat(chunks).toString('latin1') },
    },
    {
      named: 'decodes each piece by itself',
      breaks: 'utf8',
      kind: 'wrong-value',
      replace: { readBody: chunks => chunks.map(chunk => Buffer.from(chunk).toString('utf8')).join('') },
    },
    { named: 'writes Latin-1', breaks: 'utf8', kind: 'wrong-value', replace: { encoding: 'latin1' } },
  ],
  variants: [{ named: 'answers in JSON', replace: { answerBy: () => 'json' } }],
})

const faultOf = ({ status }: HttpReply, subject: string): Fault => ({
  kind: status === 200 ? 'wrong-value' : 'wrong-status',
  subject,
})

/** The id of the first message in the answer that has one. */
function idOf(answer: HttpReply): Json | undefined {
  const messages = [answer.json, ...answer.events.map(event => parsed(event.data))]
  return messages.map(message => at(message, 'id')).find(id => id !== undefined)
}

function parsed(data: string | undefined): Json | undefined {
  try {
    return JSON.parse(data ?? '') as Json
  } catch {
    return undefined
  }
}

/** Cuts behind the first byte of each character of several bytes. */
function cutInside(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const starts = [...bytes.keys()].filter(index => (bytes[index] ?? 0) >= 0xc0).map(index => index + 1)
  return [...starts, bytes.length].map((end, index) => bytes.slice(index === 0 ? 0 : starts[index - 1], end))
}
