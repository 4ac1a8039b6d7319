/** Text for a string of a schema: by its format, its pattern and its length. */
import type { Branch } from './schema-branches.ts'

const FORMATS: Record<string, string> = {
  date: '2025-01-01',
  time: '12:00:00Z',
  'date-time': '2025-01-01T12:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/',
  'iri-reference': '/',
  'uri-template': '/{name}',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/name',
  'relative-json-pointer': '0',
  regex: '.',
}

const WORDS = ['test', 'example', 'sample', 'value']

/** Texts that meet the patterns which tools really have: names, numbers, dates, addresses, colours, versions. */
const COMMON = [
  ...WORDS,
  ...Object.values(FORMATS),
  'a',
  'A',
  'Test',
  'TEST',
  '1',
  '10',
  'a1',
  'A1',
  'ABC',
  'US',
  'en-US',
  '1.0',
  '1.0.0',
  '12:00',
  '2025-01',
  '2025',
  '#000000',
  '/a',
  'a/b',
  'a.b',
  '0xab',
  '+15550100',
  '192.168.0.0/24',
  'UTC',
  'Europe/Paris',
]

/** Longer texts are asked for by nobody who means a real tool. */
const MAX_LENGTH = 4_096

/** A foreign pattern may take time that is exponential in the length of the text; no text of this list is longer. */
const MAX_MATCHED = 40

export function textFor(branch: Branch, pick: (count: number) => number): string | undefined {
  const { format, pattern } = branch
  const least = typeof branch.minLength === 'number' ? branch.minLength : 0
  const most = typeof branch.maxLength === 'number' ? branch.maxLength : Number.POSITIVE_INFINITY
  if (least > (pattern === undefined ? MAX_LENGTH : MAX_MATCHED)) return undefined
  const formatted = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  const word = WORDS[pick(WORDS.length)] as string
  const candidates = formatted === undefined ? [word, ...COMMON] : [formatted]
  const sized = candidates.map(text => text.padEnd(least, /\d$/.test(text) ? '0' : 'a').slice(0, most))
  return typeof pattern === 'string' ? sized.find(text => fits(pattern, text)) : sized[0]
}

function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}
