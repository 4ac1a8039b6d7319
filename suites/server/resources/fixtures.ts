import {
  at,
  type Json,
  judge,
  listAll,
  mediaType,
  type Reply,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const TEXT = 'test://static-text'
const BINARY = 'test://static-binary'
const BYTES = 'test://all-bytes'

const STATIC_TEXT = 'This is the content of the static text resource.'
/** How every PNG file begins. */
const PNG = '\x89PNG\r\n\x1a\n'
const ALL_BYTES = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte))

/** What the fixtures hold is agreed, so that nothing may be lost or changed on the way. */
export default serverScenario({
  title: 'The fixture resources are read exactly as they are: a text, a picture, and every byte',
  needs: { capability: 'resources' },
  claims: {
    text: 'resources.contents.text',
    blob: 'resources.contents.blob',
    bytes: 'resources.security.binary-encoded',
    type: 'resources.read.contents-shape',
    reads: 'resources.read.supported',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/list', 'resources')
    const offered = [TEXT, BINARY, BYTES].filter(uri => entries.some(entry => entry.uri === uri))
    const read = async (uri: string): Promise<Reply> => peer.request('resources/read', { uri })
    const [text, binary, bytes] = [TEXT, BINARY, BYTES].map(uri => (offered.includes(uri) ? read(uri) : undefined))

    for (const [uri, pending, type] of [
      [TEXT, text, 'text/plain'],
      [BINARY, binary, 'image/png'],
    ] as const) {
      const reply = await pending
      if (reply === undefined) continue
      const content = contentOf(reply, uri)
      yield judge('reads', content !== undefined, `one item of contents for ${uri}`, reply, { subject: uri })
      const named = textAt(content, 'mimeType')
      if (content !== undefined)
        yield judge(
          'type',
          named === undefined || mediaType(named) === type,
          `${type} as mimeType, where there is one`,
          reply,
          { subject: uri },
        )
    }
    if (text === undefined) yield unmet(`fixture ${TEXT} not offered`, 'text')
    else
      yield judge(
        'text',
        textAt(contentOf(await text, TEXT), 'text') === STATIC_TEXT,
        `the text "${STATIC_TEXT}"`,
        await text,
      )

    if (binary === undefined) yield unmet(`fixture ${BINARY} not offered`, 'blob')
    else
      yield judge(
        'blob',
        decoded(contentOf(await binary, BINARY))?.startsWith(PNG) === true,
        'a PNG file in base64',
        await binary,
      )

    if (bytes === undefined) yield unmet(`fixture ${BYTES} not offered`, 'bytes')
    else
      yield judge('bytes', decoded(contentOf(await bytes, BYTES)) === ALL_BYTES, 'the bytes from 0 to 255', await bytes)
    if (text === undefined && binary === undefined) yield unmet(`fixtures ${TEXT} and ${BINARY} not offered`)
  },
  defects: [
    {
      named: 'a line end behind the text',
      breaks: 'text',
      kind: 'wrong-value',
      tamper: reading(TEXT, { uri: TEXT, text: `${STATIC_TEXT}\n` }),
    },
    {
      named: 'the text in base64',
      breaks: 'text',
      kind: 'wrong-value',
      tamper: reading(TEXT, { uri: TEXT, blob: btoa(STATIC_TEXT) }),
    },
    {
      named: 'a text called a picture',
      breaks: 'type',
      kind: 'wrong-value',
      tamper: reading(TEXT, { uri: TEXT, mimeType: 'image/png', text: STATIC_TEXT }),
    },
    {
      named: 'a picture read as UTF-8',
      breaks: 'blob',
      kind: 'wrong-value',
      tamper: reading(BINARY, { uri: BINARY, blob: btoa('\xef\xbf\xbdPNG\r\n\x1a\n') }),
    },
    {
      named: 'the path of the picture in base64',
      breaks: 'blob',
      kind: 'wrong-value',
      tamper: reading(BINARY, { uri: BINARY, blob: btoa('static.png') }),
    },
    {
      named: 'bytes above 127 are replaced',
      breaks: 'bytes',
      kind: 'wrong-value',
      tamper: reading(BYTES, { uri: BYTES, blob: btoa(ALL_BYTES.slice(0, 128)) }),
    },
    {
      named: 'the alphabet for URLs',
      breaks: 'bytes',
      kind: 'wrong-value',
      tamper: reading(BYTES, { uri: BYTES, blob: btoa(ALL_BYTES).replaceAll('+', '-').replaceAll('/', '_') }),
    },
    {
      named: 'a listed resource is not found',
      breaks: 'reads',
      kind: 'refused',
      also: ['text'],
      tamper: tampers.answer('resources/read', (message, cause) =>
        textAt(cause, 'params', 'uri') === TEXT ? refusal(-32002, 'Resource not found')(message) : message,
      ),
    },
  ],
  variants: [
    { named: 'no mimeType', shows: ['text', 'type'], tamper: reading(TEXT, { uri: TEXT, text: STATIC_TEXT }) },
    {
      named: 'a mimeType with a parameter',
      shows: ['type'],
      tamper: reading(TEXT, { uri: TEXT, mimeType: 'text/plain; charset=utf-8', text: STATIC_TEXT }),
    },
    { named: 'no fixture', tamper: tampers.result('resources/list', () => ({ resources: [] })) },
  ],
})

/** The only item, where there is no other. */
function contentOf(reply: Reply, uri: string): Json | undefined {
  if (reply.kind !== 'result' || at(reply.result, 'contents', 1) !== undefined) return undefined
  const content = at(reply.result, 'contents', 0)
  return at(content, 'uri') === uri ? content : undefined
}

/** One character a byte; undefined where it is no base64. */
function decoded(content: Json | undefined): string | undefined {
  const blob = textAt(content, 'blob')
  if (blob === undefined) return undefined
  try {
    return atob(blob)
  } catch {
    return undefined
  }
}

function reading(uri: string, content: Json): Tamper {
  return tampers.answer('resources/read', (message, cause) =>
    textAt(cause, 'params', 'uri') === uri ? { ...message, result: { contents: [content] } } : message,
  )
}
