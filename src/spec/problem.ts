/** From the errors of ajv to words that a person understands: the place, what belongs there, what was there. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { isObject } from './protocol.ts'
import { wordsForSchema, wordsForValue } from './words.ts'

/** What a problem is: the words of `KINDS` in suite/judgement that a schema can tell apart. */
export type ProblemKind = 'missing' | 'wrong-type' | 'wrong-value' | 'malformed'

export interface Problem {
  kind: ProblemKind
  /** as one would write it in a program: tools[3].inputSchema.type; empty for the value itself */
  place: string
  /** what belongs there: "a string", "one of ..." */
  expected: string
  /** what was there instead */
  got: string
  /** why the texts leave it open whether this is a fault */
  open?: string
}

/** Makes a validator for one branch of a union. */
export type Compile = (branch: object) => ValidateFunction

/** The problems behind the errors; of a union only those of the branch that the value comes nearest to. */
export function explain(errors: readonly ErrorObject[], compile: Compile, within = ''): Problem[] {
  const found = outermost(errors).flatMap(error =>
    isUnion(error)
      ? explainUnion(error, compile, within + error.instancePath)
      : [problemOf(error, within + error.instancePath)],
  )
  return [...new Map(found.map(problem => [`${problem.place} ${problem.expected}`, problem])).values()]
}

/** ajv lists the errors of all branches, then the one that says that no branch fits; unions nest. */
function outermost(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = new Map(errors.filter(isUnion).map(error => [error.instancePath, error]))
  const inUnion = (path: string): boolean => {
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      if (unions.has(path.slice(0, end))) return true
      if (end === 0) break
    }
    return false
  }
  return errors.filter(
    error =>
      !inUnion(error.instancePath) && (unions.get(error.instancePath) === error || !unions.has(error.instancePath)),
  )
}

const isUnion = (error: ErrorObject): boolean => error.keyword === 'anyOf'

function explainUnion(union: ErrorObject, compile: Compile, path: string): Problem[] {
  const branches = branchesOf(union, compile)
  const nearest = branches.reduce((best, branch) => (branch.distance < best.distance ? branch : best))
  const lacking = new Set(branches.filter(branch => branch.distance === nearest.distance).map(soleLack))
  if (lacking.size > 1 && !lacking.has(undefined))
    return [{ ...problemOf(union, path), kind: 'missing', expected: `an object with ${[...lacking].join(' or ')}` }]
  if (nearest.distance < OTHER_KIND) return explain(nearest.errors, compile, path)
  // It is none of them: what tells them apart says it best.
  const tags = branches.flatMap(branch => branch.errors.filter(isTag))
  const [tag] = tags
  if (tag === undefined || !isObject(union.data)) return [problemOf(union, path)]
  const choices = [...new Set(tags.flatMap(error => choicesOf(error)))]
  return [
    {
      kind: kindAmong(choices, tag.data),
      place: placeOf(path + tag.instancePath),
      expected: wordsForSchema({ enum: choices }),
      got: wordsForValue(tag.data),
    },
  ]
}

interface Branch {
  errors: ErrorObject[]
  distance: number
}

/** A value with another tag is of another kind, however well the rest fits; one of another type even more so. */
const OTHER_TYPE = 10_000
const OTHER_KIND = 1_000

/** The branches of a union, those of unions inside it included. */
function branchesOf(union: ErrorObject, compile: Compile): Branch[] {
  const schemas: unknown[] = Array.isArray(union.schema) ? union.schema : []
  return schemas.filter(isObject).flatMap((schema): Branch[] => {
    const validate = compile(schema)
    validate(union.data)
    const errors = outermost(validate.errors ?? [])
    const inner = errors.find(error => isUnion(error) && error.instancePath === '')
    if (inner !== undefined) return branchesOf(inner, compile)
    return [{ errors, distance: errors.reduce((sum, error) => sum + distanceOf(error), 0) }]
  })
}

/** The member whose absence is all that is wrong. */
function soleLack({ errors: [only, ...more] }: Branch): string | undefined {
  return only?.keyword === 'required' && more.length === 0 ? JSON.stringify(only.params.missingProperty) : undefined
}

function distanceOf(error: ErrorObject): number {
  if (error.keyword === 'type' && error.instancePath === '') return OTHER_TYPE
  if (isTag(error)) return OTHER_KIND
  return error.keyword === 'required' ? 10 : 1
}

/** The members that tell the branches of our unions apart. */
const isTag = (error: ErrorObject): boolean =>
  (error.keyword === 'const' || error.keyword === 'enum') && /^\/(?:type|mode)$/.test(error.instancePath)

const choicesOf = (error: ErrorObject): unknown[] =>
  Array.isArray(error.schema) ? error.schema : [error.schema as unknown]

function problemOf(error: ErrorObject, path: string): Problem {
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : undefined
  if (missing !== undefined) {
    const members = error.parentSchema?.properties
    const schema = isObject(members) ? members[missing] : undefined
    return {
      kind: 'missing',
      place: placeOf(`${path}/${escaped(missing)}`),
      expected: schema === undefined ? 'present' : wordsForSchema(schema),
      got: 'no such member',
    }
  }
  const open = openBecause(error, path)
  return {
    kind: kindOf(error),
    place: placeOf(path),
    expected: wordsForSchema(error.parentSchema ?? {}),
    got: wordsForValue(error.data),
    ...(open === undefined ? {} : { open }),
  }
}

function kindOf(error: ErrorObject): ProblemKind {
  switch (error.keyword) {
    case 'type':
    case 'anyOf':
      return 'wrong-type'
    case 'const':
    case 'enum':
      return kindAmong(choicesOf(error), error.data)
    case 'format':
      return 'malformed'
    default:
      return 'wrong-value'
  }
}

/** Of another type than each of the choices, or only another value. */
const kindAmong = (choices: unknown[], value: unknown): ProblemKind =>
  choices.some(choice => typeof choice === typeof value) ? 'wrong-value' : 'wrong-type'

/** Where the published schema is stricter than the text, or the texts than one another. */
function openBecause(error: ErrorObject, path: string): string | undefined {
  if (error.keyword === 'type' && error.schema === 'integer' && typeof error.data === 'number')
    return 'schema.ts says number, schema.json says integer'
  if (error.keyword === 'format' && error.schema !== 'byte')
    return 'a format in JSON Schema is a note, unless a clause says more'
  if (typeof error.data === 'boolean' && /Schema\/properties\/[^/]+$/.test(path))
    return 'JSON Schema 2020-12 allows true and false as schemas, schema.ts wants objects'
  return undefined
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** `/tools/3/inputSchema/a b` becomes `tools[3].inputSchema["a b"]`. */
function placeOf(pointer: string): string {
  const steps = pointer.split('/').slice(1)
  const written = steps.map(step => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(name)) return `[${name}]`
    return /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name.slice(0, LONGEST_NAME))}]`
  })
  return written.join('').replace(/^\./, '')
}

/** Names come from the target, of any length. */
const LONGEST_NAME = 60
