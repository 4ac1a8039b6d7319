/**
 * The formats that content carries as text: base64, MIME types, URIs, timestamps. Each function says
 * whether the value has the form (`holds`), nearly has it (`bends`), or has not (`breaks`).
 */
import type { ProblemKind } from './problem.ts'

export type Fit = 'holds' | 'bends' | 'breaks'

/** The standard alphabet (RFC 4648, section 4). Missing padding and line ends are what most decoders forgive. */
export function base64Fit(value: unknown): Fit {
  if (typeof value !== 'string') return 'breaks'
  const text = value.replace(/[\r\n]+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) return 'breaks'
  return text.length === value.length && text.length % 4 === 0 ? 'holds' : 'bends'
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*"))*$`)

/** type/subtype with parameters; one of another kind than `top` only nearly fits. */
export function mediaTypeFit(value: unknown, top?: 'image' | 'audio'): Fit {
  if (typeof value !== 'string' || !MEDIA_TYPE.test(value)) return 'breaks'
  return top === undefined || value.toLowerCase().startsWith(`${top}/`) ? 'holds' : 'bends'
}

/** A URI with a scheme of its own (RFC 3986, section 3), whatever the scheme. */
export const isUri = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i.test(value)

const EXTENDED = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/
const BASIC = /^\d{8}(?:T\d{4}(?:\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?:\d\d)?)?)?$/

/** What is wrong with what should be a text of some form, and is not. */
export const textFault = (value: unknown): 'missing' | 'malformed' | 'wrong-type' =>
  value === undefined ? 'missing' : typeof value === 'string' ? 'malformed' : 'wrong-type'

/** A point in time in one of the forms of ISO 8601: without the time of day, seconds or an offset, too. */
export const isTimestamp = (value: unknown): value is string =>
  typeof value === 'string' && (EXTENDED.test(value) || BASIC.test(value))

export interface AnnotationProblem {
  fit: Exclude<Fit, 'holds'>
  kind: Exclude<ProblemKind, 'missing'>
  /** the member that is wrong */
  subject: string
  problem: string
}

/** Annotations of a resource or of a block of content (server/resources#annotations); undefined where they are in order. */
export function annotationProblem(annotations: unknown): AnnotationProblem | undefined {
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations))
    return {
      fit: 'breaks',
      kind: 'wrong-type',
      subject: 'annotations',
      problem: 'annotations that are no object',
    }
  const { audience, priority, lastModified } = annotations as Record<string, unknown>
  if (
    audience !== undefined &&
    !(Array.isArray(audience) && audience.every(one => one === 'user' || one === 'assistant'))
  )
    return {
      fit: 'breaks',
      kind: Array.isArray(audience) ? 'wrong-value' : 'wrong-type',
      subject: 'annotations.audience',
      problem: 'an audience that is no list of user and assistant',
    }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1))
    return {
      fit: 'breaks',
      kind: typeof priority === 'number' ? 'wrong-value' : 'wrong-type',
      subject: 'annotations.priority',
      problem: 'a priority that is no number from 0 to 1',
    }
  if (lastModified === undefined || isTimestamp(lastModified)) return undefined
  const isText = typeof lastModified === 'string'
  return {
    fit: isText ? 'bends' : 'breaks',
    kind: isText ? 'malformed' : 'wrong-type',
    subject: 'annotations.lastModified',
    problem: 'a lastModified that is no timestamp of ISO 8601',
  }
}
