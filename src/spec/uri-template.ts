/** URI templates (RFC 6570), as far as a client has to read them. */
import type { Fit } from './content.ts'

interface Expression {
  operator: string
  names: string[]
}

const OPERATORS = '+#./;?&'
/** Kept free by section 2.2 for what may come. */
const RESERVED = '=,!@|'
const MODIFIER = /(?:\*|:[1-9]\d{0,3})$/
const NAME = /^(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*$/i
const LITERAL = /^(?:[^\s"%<>\\^`{|}\p{Cc}]|%[0-9a-f]{2})*$/iu

/**
 * What is wrong with a template; undefined where nothing is. Braces and operators that cannot be read
 * break it; a character that stands where it may not (`{user-id}`) only bends it: most readers take it.
 */
export function templateProblem(template: string): { fit: Exclude<Fit, 'holds'>; problem: string } | undefined {
  const parts = partsOf(template)
  if (parts === undefined) return { fit: 'breaks', problem: 'braces that do not match' }
  for (const part of parts) {
    if (typeof part === 'string') continue
    if (RESERVED.includes(part.operator) && part.operator !== '')
      return { fit: 'breaks', problem: `the reserved operator ${part.operator}` }
    if (part.names.some(name => name.replace(MODIFIER, '') === ''))
      return { fit: 'breaks', problem: 'an expression that names no variable' }
  }
  for (const part of parts) {
    if (typeof part === 'string' && !LITERAL.test(part)) return { fit: 'bends', problem: 'a character to be encoded' }
    if (typeof part === 'string') continue
    const wrong = part.names.find(name => !NAME.test(name.replace(MODIFIER, '')))
    if (wrong !== undefined) return { fit: 'bends', problem: 'a name of a variable with other characters' }
  }
  return undefined
}

/** The URI that results where every variable has this value; undefined where the template cannot be read. */
export function expandTemplate(template: string, value: string): string | undefined {
  const parts = partsOf(template)
  return parts?.map(part => (typeof part === 'string' ? part : expand(part, value))).join('')
}

/** The names of its variables; none where it cannot be read. */
export const variablesOf = (template: string): string[] =>
  (partsOf(template) ?? []).flatMap(part =>
    typeof part === 'string' ? [] : part.names.map(name => name.replace(MODIFIER, '')),
  )

/** Whether a URI could come from a template, by the literal text that the template begins with. */
export const mayDescribe = (template: string, uri: string): boolean => uri.startsWith(template.split('{')[0] ?? '')

function partsOf(template: string): (string | Expression)[] | undefined {
  const pieces = template.split(/(\{[^{}]*\})/)
  // Where a bracket expression was split off every other piece is literal text.
  if (pieces.some((piece, index) => index % 2 === 0 && /[{}]/.test(piece))) return undefined
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : expressionOf(piece.slice(1, -1))))
}

function expressionOf(text: string): Expression {
  const first = text.charAt(0)
  const operator = (OPERATORS + RESERVED).includes(first) ? first : ''
  return { operator, names: text.slice(operator.length).split(',') }
}

const SEPARATORS: Record<string, string> = { '.': '.', '/': '/', ';': ';', '?': '&', '&': '&' }

function expand({ operator, names }: Expression, value: string): string {
  const reserved = operator === '+' || operator === '#'
  const encoded = reserved ? encodeURI(value) : encodeURIComponent(value)
  const values = names.map(name =>
    ';?&'.includes(operator || ' ') ? `${name.replace(MODIFIER, '')}=${encoded}` : encoded,
  )
  const lead = operator === '+' ? '' : operator
  return lead + values.join(SEPARATORS[operator] ?? ',')
}
