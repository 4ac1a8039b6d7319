/** Text of our server that is no message: one thing at a time, each followed by a ping. */
import {
  at,
  type Call,
  type ClientRun,
  crashed,
  isResponse,
  type MessageFrame,
  type Reply,
  type Script,
  type ServerDouble,
  script,
  shapeOf,
} from '../../../src/suite/client.ts'

export interface OddText {
  /** a ping before any of it */
  control?: Reply
  probes: { what: string; answers: MessageFrame[]; barrier: Reply }[]
}

/** Over HTTP an answer has a request of its own, which may be overtaken. */
const OVERTAKING_MS = 20

/** Says each text while the client waits for its tools. */
export const saying = (texts: { what: string; text: string }[]): Script<OddText> =>
  script({
    drive: { name: 'initialize' },
    notes: (): OddText => ({ probes: [] }),
    play(server, notes) {
      server.on('tools/list', async call => {
        if (notes.control === undefined) await say(server, call, texts, notes)
        return { result: { tools: [] } }
      })
    },
  })

async function say(
  server: ServerDouble,
  call: Call,
  texts: { what: string; text: string }[],
  notes: OddText,
): Promise<void> {
  notes.control = await call.ask('ping')
  for (const [count, { what, text }] of texts.entries()) {
    const mark = server.messages.length
    const raw = server.via === 'stdio' ? `${text}\n` : `event: message\ndata: ${text}\n\n`
    await call.bytes(raw, { intended: 'fault' })
    const id = `barrier-${count}`
    const barrier = await call.ask('ping', undefined, { id })
    await server.pause(OVERTAKING_MS)
    const answers = server.messages.slice(mark).filter(({ json }) => isResponse(shapeOf(json)) && at(json, 'id') !== id)
    notes.probes.push({ what, answers, barrier })
    if (barrier.kind === 'none') return
  }
}

/**
 * Over HTTP the text came in the answer to one request: a client may give that request up, and its stream with it.
 * Over stdio there is no other way to talk.
 */
export const gaveUp = (seen: ClientRun<OddText>, barrier: Reply): boolean =>
  barrier.kind === 'none' && seen.via === 'http' && seen.end.how === 'exited' && !crashed(seen)
