import {
  at,
  base64Fit,
  type Frame,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  lacks,
  monitor,
  type Outcome,
  type Tamper,
  tampers,
  textAt,
} from '../../src/suite/monitor.ts'

const CLAIMS = {
  shape: 'resources.read.contents-shape',
  text: 'resources.contents.text',
  blob: 'resources.contents.blob',
  encoded: 'resources.security.binary-encoded',
} as const
type Claim = keyof typeof CLAIMS

/** A replacement character beside a control character that no text has: bytes that were read as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what gives such bytes away
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f]/
/** A piece of content is shown up to this length. */
const SHOWN = 160

/** The answers to resources/read. That there are no items at all is for those to judge who know what was read. */
export default monitor({
  title: 'The contents of a resource are text, or binary data in base64',
  claims: CLAIMS,
  start: () => ({ follow: followResults('resources/read'), settled: false, judged: new Set<Claim>() }),
  *see(state, frame) {
    if (lacks(frame, 'resources')) state.settled = true
    for (const { result } of state.follow(frame)) {
      state.settled = true
      for (const [claim, outcome, expected, got] of rulesFor(at(result, 'contents'))) {
        state.judged.add(claim)
        yield judge(claim, outcome, expected, shown(got, frame))
      }
    }
  },
  *end(state) {
    for (const claim of Object.keys(CLAIMS) as Claim[])
      if (state.settled && !state.judged.has(claim))
        yield judge(claim, 'n/a', 'contents that it is about', { text: 'no such contents were read', frames: [] })
  },
  defects: [
    { named: 'a single item for a list', breaks: 'shape', ...reading({ uri: 'test://x', text: 'x' }) },
    { named: 'neither text nor blob', breaks: 'shape', ...reading([{ uri: 'test://x' }]) },
    { named: 'text and blob', breaks: 'shape', ...reading([{ uri: 'test://x', text: 'x', blob: 'eA==' }]) },
    { named: 'no uri', breaks: 'shape', ...reading([{ text: 'x' }]) },
    { named: 'null as mimeType', breaks: 'shape', ...reading([{ uri: 'test://x', mimeType: null, text: 'x' }]) },
    { named: 'an object as text', breaks: 'text', ...reading([{ uri: 'test://x', text: { a: 1 } }]) },
    {
      named: 'null as text beside a blob',
      breaks: 'text',
      also: ['shape'],
      ...reading([{ uri: 'test://x', text: null, blob: '' }]),
    },
    {
      named: 'a picture read as text',
      breaks: 'text',
      ...reading([{ uri: 'test://x', text: '\ufffdPNG\r\n\x1a\n\0\0' }]),
    },
    { named: 'a list of bytes', breaks: 'blob', also: ['encoded'], ...reading([{ uri: 'test://x', blob: [1, 2] }]) },
    {
      named: 'the bytes in hex, an odd number of digits',
      breaks: 'blob',
      also: ['encoded'],
      ...reading([{ uri: 'test://x', blob: 'fbeff' }]),
    },
    {
      named: 'a data URI',
      breaks: 'blob',
      also: ['encoded'],
      ...reading([{ uri: 'test://x', blob: 'data:;base64,eA==' }]),
    },
    {
      named: 'the alphabet for URLs',
      breaks: 'encoded',
      also: ['blob'],
      ...reading([{ uri: 'test://x', blob: '--__' }]),
    },
    { named: 'no padding', breaks: 'encoded', ...reading([{ uri: 'test://x', blob: 'eA' }]) },
    {
      named: 'line ends after 76 characters',
      breaks: 'encoded',
      ...reading([{ uri: 'test://x', blob: `${'eHh4'.repeat(19)}\n` }]),
    },
  ],
  variants: [
    {
      named: 'several items of other URIs, empty ones among them',
      shows: ['shape', 'text', 'blob', 'encoded'],
      ...reading([
        { uri: 'test://x/1', text: '' },
        { uri: 'test://x/2', mimeType: 'inode/directory', text: 'a \ufffd in a text', _meta: {} },
        { uri: 'test://x/3', blob: '', 'x-own': 1 },
        { uri: 'test://x/4', blob: '++//' },
      ]),
    },
  ],
})

const shown = (value: Json | undefined, frame: Frame) => ({
  text: JSON.stringify(value)?.slice(0, SHOWN) ?? 'no contents',
  frames: [frame],
})

function* rulesFor(contents: Json | undefined): Iterable<[Claim, boolean | Outcome, string, Json | undefined]> {
  if (!Array.isArray(contents)) {
    yield ['shape', false, 'a list of contents', contents]
    return
  }
  for (const item of contents) {
    yield ['shape', isObject(item) && shapeOutcome(item), 'a uri, and either text or blob', item]
    const { text, blob } = isObject(item) ? item : {}
    if (text !== undefined) yield ['text', textOutcome(text), 'text', item]
    if (blob === undefined) continue
    const fit = base64Fit(blob)
    yield ['blob', fit !== 'breaks', 'base64', item]
    const padded = typeof blob === 'string' && blob.replace(/\s/g, '').length % 4 === 0
    yield [
      'encoded',
      fit === 'bends' ? (padded ? 'bends' : 'breaks') : fit,
      'padded base64 of RFC 4648, section 4',
      item,
    ]
  }
}

function shapeOutcome(item: JsonObject): Outcome {
  const typed = typeof item.uri === 'string' && (item.mimeType === undefined || textAt(item, 'mimeType') !== undefined)
  if (!typed || (item.text === undefined && item.blob === undefined)) return 'breaks'
  return item.text !== undefined && item.blob !== undefined ? 'bends' : 'holds'
}

function textOutcome(text: Json): Outcome {
  if (typeof text !== 'string') return 'breaks'
  return text.includes('\ufffd') && CONTROLS.test(text) ? 'bends' : 'holds'
}

/** Other contents for every resource. */
function reading(contents: Json): { on: string; tamper: Tamper } {
  return { on: 'server/resources/read', tamper: tampers.result('resources/read', result => ({ ...result, contents })) }
}
