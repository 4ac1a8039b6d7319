import {
  at,
  base64Fit,
  type Frame,
  followResults,
  inapplicable,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Kind,
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
const NONE = { text: 'no such contents were read', frames: [] }
/** A piece of content is shown up to this length. */
const SHOWN = 160

/**
 * The answers to resources/read. Types are a matter of monitors/schema; that there are no items at all is for those to judge
 * who know what was read.
 */
export default monitor({
  title: 'The contents of a resource are text, or binary data in base64',
  claims: CLAIMS,
  start: () => followResults('resources/read'),
  *see(follow, frame) {
    const results = follow(frame)
    if (results.length > 0 || lacks(frame, 'resources'))
      yield* inapplicable(Object.keys(CLAIMS) as Claim[], 'contents that it is about', NONE)
    for (const { params, result } of results) {
      const contents = at(result, 'contents')
      for (const item of Array.isArray(contents) ? contents : [])
        for (const [claim, outcome, expected, kind] of rulesFor(item))
          yield judge(claim, outcome, expected, shown(item, frame), {
            kind,
            subject: textAt(item, 'uri') ?? textAt(params, 'uri') ?? 'contents[]',
          })
    }
  },
  defects: [
    {
      named: 'text and blob',
      breaks: 'shape',
      kind: 'duplicate',
      verdict: 'warn',
      ...reading([{ uri: 'test://x', text: 'x', blob: 'eA==' }]),
    },
    {
      named: 'an object as text',
      breaks: 'text',
      kind: 'wrong-type',
      ...reading([{ uri: 'test://x', text: { a: 1 } }]),
    },
    {
      named: 'null as text beside a blob',
      breaks: 'text',
      kind: 'wrong-type',
      also: ['shape'],
      ...reading([{ uri: 'test://x', text: null, blob: '' }]),
    },
    {
      named: 'a picture read as text',
      breaks: 'text',
      kind: 'malformed',
      verdict: 'warn',
      ...reading([{ uri: 'test://x', text: '\ufffdPNG\r\n\x1a\n\0\0' }]),
    },
    {
      named: 'a list of bytes',
      breaks: 'encoded',
      kind: 'wrong-type',
      ...reading([{ uri: 'test://x', blob: [1, 2] }]),
    },
    {
      named: 'the bytes in hex, an odd number of digits',
      breaks: 'blob',
      kind: 'malformed',
      also: ['encoded'],
      ...reading([{ uri: 'test://x', blob: 'fbeff' }]),
    },
    {
      named: 'a data URI',
      breaks: 'blob',
      kind: 'malformed',
      also: ['encoded'],
      ...reading([{ uri: 'test://x', blob: 'data:;base64,eA==' }]),
    },
    {
      named: 'the alphabet for URLs',
      breaks: 'encoded',
      kind: 'malformed',
      also: ['blob'],
      ...reading([{ uri: 'test://x', blob: '--__' }]),
    },
    { named: 'no padding', breaks: 'encoded', kind: 'malformed', ...reading([{ uri: 'test://x', blob: 'eA' }]) },
    {
      named: 'line ends after 76 characters',
      breaks: 'encoded',
      kind: 'malformed',
      verdict: 'warn',
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

const shown = (value: Json, frame: Frame) => ({ text: JSON.stringify(value).slice(0, SHOWN), frames: [frame] })

function* rulesFor(item: Json): Iterable<[Claim, boolean | Outcome, string, Kind]> {
  const { text, blob } = isObject(item) ? item : ({} as JsonObject)
  const both = text !== undefined && blob !== undefined
  if (isObject(item)) yield ['shape', both ? 'bends' : 'holds', 'either text or blob', 'duplicate']
  if (text !== undefined)
    yield ['text', textOutcome(text), 'text', typeof text === 'string' ? 'malformed' : 'wrong-type']
  if (blob === undefined) return
  const fit = base64Fit(blob)
  if (typeof blob === 'string') yield ['blob', fit !== 'breaks', 'base64', 'malformed']
  const padded = typeof blob === 'string' && blob.replace(/\s/g, '').length % 4 === 0
  yield [
    'encoded',
    fit === 'bends' ? (padded ? 'bends' : 'breaks') : fit,
    'padded base64 of RFC 4648, section 4',
    typeof blob === 'string' ? 'malformed' : 'wrong-type',
  ]
}

function textOutcome(text: Json): Outcome {
  if (typeof text !== 'string') return 'breaks'
  return text.includes('\ufffd') && CONTROLS.test(text) ? 'bends' : 'holds'
}

/** Other contents for every resource. */
function reading(contents: Json): { on: string; tamper: Tamper } {
  return { on: 'server/resources/read', tamper: tampers.result('resources/read', result => ({ ...result, contents })) }
}
