import {
  type ClientRun,
  clientScenario,
  type JsonObject,
  judge,
  notification,
  reported,
  response,
  script,
  sent,
  stepKind,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const BIG = 1024 * 1024
const PAUSE_MS = 60
/** From our answer to the next request; nothing else happens there. */
const NEXT_MS = 4_000
/** Ordinary characters in JSON, though some line readers end a line there. */
const SEPARATORS = 'a\u2028b\u2029c\u0085d'
const TOOLS = ['pieces', 'together', 'separators', 'big', 'last'].map(name => ({
  name,
  description: 'Grüße aus 東京 😀',
  inputSchema: { type: 'object' },
}))

interface Notes {
  /** when the answer to each step was written to its end */
  answeredAt: number[]
}

/** Each step is answered in another way; that the client goes on shows that it has read the answer. */
const CHUNKED = script({
  drive: {
    name: 'chunked-output',
    steps: [
      { request: 'tools/list' },
      ...TOOLS.map(({ name }) => ({ request: 'tools/call', params: { name, arguments: {} } })),
    ],
  },
  setup: () => ({ capabilities: { tools: {}, logging: {} }, tools: TOOLS }),
  notes: (): Notes => ({ answeredAt: [] }),
  play(server, notes) {
    const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
    server.on('tools/call', async call => {
      const { name } = call.params
      const line = (result: JsonObject): string => JSON.stringify(response(call.id, result))
      if (name === 'pieces') {
        // In three writes, the cuts within a character of several bytes and in front of the newline.
        const bytes = Buffer.from(`${line(text('Grüße 😀'))}\n`)
        const cut = bytes.indexOf(0xf0) + 2
        for (const part of [bytes.subarray(0, cut), bytes.subarray(cut, -1), bytes.subarray(-1)]) {
          await call.bytes(part)
          await server.pause(PAUSE_MS)
        }
      } else if (name === 'together') {
        const note = notification('notifications/message', { level: 'info', data: 'now' })
        await call.bytes(`${JSON.stringify(note)}\n${line(text('done'))}\n`)
      }
      notes.answeredAt.push(server.now())
      if (name === 'pieces' || name === 'together') return { messages: [] }
      return { result: text(name === 'big' ? 'x'.repeat(BIG) : name === 'separators' ? SEPARATORS : 'done') }
    })
  },
})

const nextAfter = (seen: ClientRun<Notes>, place: number) => {
  const answeredAt = seen.notes.answeredAt[place]
  const next = sent(seen, 'tools/call')[place + 1]
  return answeredAt !== undefined && next !== undefined && next.frame.at - answeredAt < NEXT_MS ? next : undefined
}

export default clientScenario({
  title: 'The client reads messages however their bytes are chunked, and ends a line at LF alone',
  needs: { via: 'stdio' },
  script: CHUNKED,
  claims: {
    pieces: 'transport-stdio.framing.chunk-independent',
    together: 'transport-stdio.framing.chunk-independent',
    separators: 'transport-stdio.framing.newline-delimited',
    big: 'transport-stdio.framing.chunk-independent',
  },
  *run(seen) {
    const ways = {
      pieces: 'an answer in three writes',
      together: 'a notification and an answer in one write',
      separators: 'an answer with U+2028, U+2029 and U+0085 in it',
      big: 'an answer of 1 MiB',
    } as const
    const calls = sent(seen, 'tools/call')
    for (const [place, claim] of (['pieces', 'together', 'separators', 'big'] as const).entries()) {
      const call = calls.find(({ params }) => params.name === claim)
      if (call === undefined) {
        yield unmet(undone(seen, `call the tool ${claim}`), claim)
        continue
      }
      const next = nextAfter(seen, place)
      const told = seen.steps.get(place + 1)
      yield judge(
        claim,
        next !== undefined && told?.outcome !== 'error',
        `the client reads ${ways[claim]}`,
        {
          text: told?.outcome === 'error' ? reported(told) : next ? 'it goes on' : 'it does not go on',
          frames: [call.frame, next?.frame ?? seen.end.frame],
        },
        stepKind(seen, place + 1),
      )
    }
  },
  defects: [
    {
      named: 'takes each read for a message',
      breaks: 'pieces',
      kind: 'stuck',
      also: ['together', 'separators', 'big'],
      replace: {
        reader: onLine => ({
          feed(chunk) {
            onLine(Buffer.from(chunk).toString('utf8'))
          },
          end() {},
        }),
      },
    },
    {
      named: 'reads one line of each read',
      breaks: 'together',
      kind: 'stuck',
      replace: correct => ({
        reader: onLine => {
          let fresh = true
          const lines = correct.reader(text => {
            if (fresh) onLine(text)
            fresh = false
          })
          return {
            feed(chunk) {
              fresh = true
              lines.feed(chunk)
            },
            end: () => lines.end(),
          }
        },
      }),
    },
    {
      named: 'ends lines at U+2028, too',
      breaks: 'separators',
      kind: 'stuck',
      replace: correct => ({
        reader: onLine =>
          correct.reader(text => {
            for (const part of text.split('\u2028')) onLine(part)
          }),
      }),
    },
    {
      named: 'reads no line beyond 64 KiB',
      breaks: 'big',
      kind: 'stuck',
      replace: correct => ({
        reader: onLine => correct.reader(text => (text.length > 65_536 ? undefined : onLine(text))),
      }),
    },
  ],
})
