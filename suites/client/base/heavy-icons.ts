import {
  clientScenario,
  endKind,
  fateOfClient,
  type JsonObject,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADD_NUMBERS } from '../_add-numbers.ts'

/** A GIF of the largest size that the format knows, with so many frames: small to send, terabytes once unpacked. */
const FRAMES = 4_000
const EXPLODING = `data:image/gif;base64,${btoa(
  `GIF89a\xff\xff\xff\xff\x00\x00\x00${'\x2c\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x01\x44\x00'.repeat(FRAMES)}\x3b`,
)}`

/** Far more than an icon needs, and less than what transports usually let through. */
const LARGE = `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`

/** What each list brings. The first one is the control: as many bytes as in the last one, elsewhere. */
const LISTS: { what: string; tool: JsonObject }[] = [
  { what: 'a large _meta', tool: { _meta: { 'com.example/padding': LARGE } } },
  { what: 'a picture that explodes', tool: { icons: [{ src: EXPLODING, mimeType: 'image/gif' }] } },
  { what: 'a large picture', tool: { icons: [{ src: LARGE, mimeType: 'image/png' }] } },
  { what: 'no picture', tool: {} },
]

const LOADED = script({
  drive: { name: 'heavy-icons', client: {}, steps: LISTS.map(() => ({ request: 'tools/list' })) },
  /** pings before each list is answered: the client has survived the one before */
  notes: (): { pings: Reply[] } => ({ pings: [] }),
  play(server, notes) {
    server.on('tools/list', async call => {
      const more = LISTS[notes.pings.length]?.tool ?? {}
      notes.pings.push(await call.ask('ping'))
      return { result: { tools: [{ ...ADD_NUMBERS, ...more }] } }
    })
  },
})

export default clientScenario({
  title: 'The client survives icons that are large, or become large when they are decoded',
  script: LOADED,
  claims: { limits: 'base.icons.resource-limits' },
  *run(seen) {
    const { pings } = seen.notes
    if (pings.length === 0) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    for (const [count, { what }] of LISTS.entries()) {
      if (count === LISTS.length - 1) return
      const next = pings[count + 1]
      const alive = next !== undefined && next.kind !== 'none'
      if (!alive && seen.end.how === 'exited' && seen.end.code === 0) {
        yield unmet(undone(seen, 'list the tools several times'))
        return
      }
      if (count === 0) {
        // What fails here is about the size of messages, and not about icons.
        if (!alive) yield judge('limits', 'n/a', `a client that takes ${what}`, next ?? fateOfClient(seen))
        if (!alive) return
      } else {
        const expected = `an answer to a ping behind a list with ${what}`
        yield judge('limits', alive, expected, next ?? fateOfClient(seen), { kind: endKind(seen), subject: what })
        if (!alive) return
      }
    }
  },
  defects: [
    {
      named: 'decodes every frame',
      breaks: 'limits',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('"data:image/gif'))
            throw new RangeError('Array buffer allocation failed')
        },
      },
    },
    {
      named: 'a large icon exhausts it',
      breaks: 'limits',
      kind: 'died',
      replace: {
        notices: message => {
          const text = JSON.stringify(message)
          if (text.includes('"icons"') && text.length > 1024 * 1024) throw new RangeError('Invalid array length')
        },
      },
    },
  ],
  variants: [
    {
      named: 'takes no long messages',
      replace: {
        parse: text => {
          if (text.length > 1024 * 1024) throw new Error('message too long')
          return JSON.parse(text)
        },
      },
    },
  ],
})
