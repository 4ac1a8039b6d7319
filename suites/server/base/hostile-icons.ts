import {
  at,
  fateOf,
  type Got,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Outcome,
  refusal,
  type ServerPeer,
  serverScenario,
  type Tamper,
  tampers,
} from '../../../src/suite/server.ts'

/** As the schema has them, and hostile by their content. */
const HOSTILE: Json[] = [
  { src: 'data:image/png;base64,%%%not-base64%%%', mimeType: 'image/png', sizes: ['48x48'] },
  { src: 'data:image/svg+xml;base64,PHN2Zz48c2NyaXB0Lz48L3N2Zz4=', sizes: ['any'], theme: 'dark' },
  { src: 'javascript:alert(1)', mimeType: '../../../etc/passwd', sizes: ['999999999x999999999', '-1x-1'] },
  { src: 'file:///etc/passwd' },
]

/** Not even that: wrong types, no `src`, no object. */
const MISTYPED: Json[] = [{ src: 7, mimeType: [], sizes: '48x48', theme: 5 }, {}, 'icon', null]

/** A GIF of the largest size that the format knows, with so many frames: small to send, terabytes once unpacked. */
const FRAMES = 4_000
const EXPLODING = `data:image/gif;base64,${btoa(
  `GIF89a\xff\xff\xff\xff\x00\x00\x00${'\x2c\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x01\x44\x00'.repeat(FRAMES)}\x3b`,
)}`

/** Far more than an icon needs, and less than what transports usually let through. */
const LARGE = `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`

/** Only what shows outside is judged: whether a server outlives the icons of its client. */
export default serverScenario({
  title: 'A server outlives hostile icons in the clientInfo of a client',
  claims: {
    untrusted: 'base.icons.treat-as-untrusted',
    limits: 'base.icons.resource-limits',
  },
  async *run(peer) {
    const meet = async (hello: { icons?: Json[]; capabilities?: JsonObject }): Promise<Meeting> => {
      const { icons, capabilities = {} } = hello
      const known = at(peer.hello.params, 'clientInfo')
      const clientInfo = { ...(isObject(known) ? known : {}), ...(icons === undefined ? {} : { icons }) }
      return meetingOf(peer, await peer.another({ capabilities, clientInfo }))
    }
    const hostile = await meet({ icons: HOSTILE })
    yield judge('untrusted', orBends(hostile), 'a usable session', hostile.got, { subject: 'hostile icons' })

    const mistyped = await meet({ icons: MISTYPED })
    // Over stdio the process is our own: it may end over an invalid first message, but over HTTP it serves others.
    const ended = mistyped.end === 'lost' && peer.via === 'stdio' ? 'bends' : mistyped.end !== 'lost'
    yield judge('untrusted', ended, 'a usable session, or a refusal of the invalid clientInfo', mistyped.got, {
      subject: 'mistyped icons',
    })
    if (!(await peer.settle()).alive) return

    for (const [subject, src] of [
      ['an icon of many frames', EXPLODING],
      ['a large icon', LARGE],
    ] as const) {
      const heavy = await meet({ icons: [{ src }] })
      // The control: the same number of bytes, elsewhere. What fails there, too, is about messages and not about icons.
      const plain =
        heavy.end === 'lost' ? await meet({ capabilities: { experimental: { 'com.example/x': { src } } } }) : heavy
      const limited = heavy.end === 'refused' || plain.end === 'lost'
      yield judge('limits', limited ? 'n/a' : heavy.end === 'usable', 'a usable session', heavy.got, { subject })
    }
  },
  defects: [
    {
      named: 'a broken icon ends the handshake in silence',
      breaks: 'untrusted',
      kind: 'silent',
      replace: { drops: message => iconsOf(message).includes('not-base64') },
    },
    {
      named: 'trips over a number as src',
      breaks: 'untrusted',
      kind: 'silent',
      via: 'http',
      replace: { drops: message => iconsOf(message).includes('"src":7') },
    },
    {
      named: 'trips over a number as src, and serves nobody else',
      breaks: 'untrusted',
      kind: 'silent',
      verdict: 'warn',
      via: 'stdio',
      replace: { drops: message => iconsOf(message).includes('"src":7') },
    },
    {
      named: 'decodes every frame',
      breaks: 'limits',
      kind: 'silent',
      replace: { drops: message => iconsOf(message).includes('image/gif') },
    },
    {
      named: 'a large icon exhausts it',
      breaks: 'limits',
      kind: 'silent',
      replace: { drops: message => iconsOf(message).length > 1024 * 1024 },
    },
  ],
  variants: [
    { named: 'refuses a clientInfo that is not valid', tamper: refusing(icons => icons.includes('"src":7')) },
    {
      named: 'refuses a client with unsafe icons',
      bends: ['untrusted'],
      tamper: refusing(icons => icons.includes('javascript:')),
    },
    { named: 'refuses long messages', tamper: refusing(icons => icons.length > 1024 * 1024) },
    { named: 'stops at long messages', replace: { drops: message => JSON.stringify(message).length > 1024 * 1024 } },
  ],
})

interface Meeting {
  end: 'usable' | 'refused' | 'lost'
  got: Got
}

const orBends = ({ end }: Meeting): Outcome => (end === 'usable' ? 'holds' : end === 'refused' ? 'bends' : 'breaks')

/** What became of the session, and of the server behind it. */
async function meetingOf(host: ServerPeer, guest: ServerPeer): Promise<Meeting> {
  const opening = guest.opening
  if (opening === undefined || opening.kind === 'none') {
    return { end: 'lost', got: opening ?? { text: 'no answer', frames: [] } }
  }
  // A session that was refused over HTTP does not exist; whether the server lives shows in another one.
  const witness = opening.kind === 'result' || guest.via === 'stdio' ? guest : host
  const probe = await witness.settle()
  if (!probe.alive) return { end: 'lost', got: await fateOf(guest, probe) }
  return { end: opening.kind === 'result' ? 'usable' : 'refused', got: opening }
}

const iconsOf = (message: JsonObject | undefined): string =>
  JSON.stringify(at(message, 'params', 'clientInfo', 'icons')) ?? ''

function refusing(fits: (icons: string) => boolean): Tamper {
  return tampers.answer('initialize', (message, cause) =>
    fits(iconsOf(cause)) ? refusal(-32602, 'This clientInfo is not valid')(message) : message,
  )
}
