/** The blocks of content that a tool returns: whether each has the members of its type. */
import {
  base64Fit,
  type Fault,
  isObject,
  isUri,
  type Json,
  type JsonObject,
  type Kind,
  mediaTypeFit,
  type Outcome,
  textFault,
} from '../../src/suite/monitor.ts'

export type Member = ['text' | 'image' | 'audio' | 'link' | 'embedded', boolean | Outcome, string, Fault]

/** The claim that a block of that type is about, whether it holds, and what is wrong with it where it does not. */
export function memberOf(block: JsonObject): Member {
  const { type, text, data, mimeType, resource } = block
  switch (type) {
    case 'image':
    case 'audio': {
      const [fit, named] = [base64Fit(data), mediaTypeFit(mimeType, type)]
      const fault: Fault =
        fit === 'holds'
          ? { kind: textFault(mimeType), subject: 'mimeType' }
          : { kind: textFault(data), subject: 'data' }
      return [type, worst(fit, named), 'base64 data and a mimeType', fault]
    }
    case 'resource_link':
      return ['link', ...linkFit(block)]
    case 'resource':
      return ['embedded', ...embeds(resource)]
    default:
      return ['text', typeof text === 'string', 'a text', { kind: textFault(text), subject: 'text' }]
  }
}

const worst = (...fits: Outcome[]): Outcome =>
  fits.includes('breaks') ? 'breaks' : fits.includes('bends') ? 'bends' : 'holds'

type Fitting = [Outcome, string, Fault]

function linkFit(link: JsonObject): Fitting {
  const expected = 'a URI, a name, and optional members of their types'
  const { uri, name, size } = link
  const untyped = ['title', 'description', 'mimeType'].find(
    member => !['string', 'undefined'].includes(typeof link[member]),
  )
  const wrong = typeof name !== 'string' ? 'name' : size !== undefined && typeof size !== 'number' ? 'size' : untyped
  if (wrong === undefined) return [uriFit(uri), expected, { kind: textFault(uri), subject: 'uri' }]
  return ['breaks', expected, { kind: textFault(link[wrong]), subject: wrong }]
}

/** Characters that a URI may not have are what most readers forgive. */
const uriFit = (uri: Json | undefined): Outcome =>
  isUri(uri) ? 'holds' : typeof uri === 'string' && URL.canParse(uri) ? 'bends' : 'breaks'

function embeds(resource: Json | undefined): Fitting {
  const expected = 'a resource with a URI and either text or blob'
  const wrong = (kind: Kind, member = ''): Fitting => [
    'breaks',
    expected,
    { kind, subject: member === '' ? 'resource' : `resource.${member}` },
  ]
  if (!isObject(resource)) return wrong(resource === undefined ? 'missing' : 'wrong-type')
  const { uri, text, blob, mimeType } = resource
  if (text === undefined && blob === undefined) return wrong('missing')
  if (text !== undefined && blob !== undefined) return wrong('duplicate')
  if (text !== undefined && typeof text !== 'string') return wrong('wrong-type', 'text')
  if (mimeType !== undefined && typeof mimeType !== 'string') return wrong('wrong-type', 'mimeType')
  const encoded = blob === undefined ? 'holds' : base64Fit(blob)
  const [value, member] = uriFit(uri) === 'holds' ? [blob, 'blob'] : [uri, 'uri']
  return [worst(uriFit(uri), encoded), expected, { kind: textFault(value), subject: `resource.${member}` }]
}
