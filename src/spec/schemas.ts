/**
 * Looks at values of the wire under our schemas. ajv and each validator are made when first needed:
 * a run meets some twenty of the definitions, and `list` or `explain` none.
 */
import { createRequire } from 'node:module'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { Side } from './catalogue.ts'
import { wireFormats } from './formats.ts'
import { explain, type Problem } from './problem.ts'
import { loadProtocol, type Part, uriOf } from './protocol.ts'
import type { Revision } from './revision.ts'

export type { Problem } from './problem.ts'
export type { Part } from './protocol.ts'

/** The definition that a message has to match; undefined for methods and revisions that are not described. */
export const definitionOf = (revision: Revision, from: Side, method: string, part: Part): string | undefined =>
  loadProtocol(revision)?.definitionOf(from, method, part)

/** The bare answer, without a reason. */
export const matches = (revision: Revision, definition: string, value: unknown): boolean =>
  validatorFor(first, revision, definition)(value)

/** What keeps the value from matching the definition; none where it matches. */
export function problemsOf(revision: Revision, definition: string, value: unknown): Problem[] {
  if (matches(revision, definition, value)) return []
  // A message of a million faults must not cost a million errors: of a large one the first is told.
  const engine = isLarge(value) ? first : all
  const validate = validatorFor(engine, revision, definition)
  validate(value)
  return explain(validate.errors ?? [], branch => engine.ajv().compile(branch))
}

interface Engine {
  ajv(): Ajv2020
  known: Set<Revision>
}

const first = engine(false)
const all = engine(true)

function engine(allErrors: boolean): Engine {
  let made: Ajv2020 | undefined
  return {
    known: new Set(),
    ajv() {
      if (made === undefined) {
        const load = createRequire(import.meta.url)
        const { Ajv2020: Validator } = load('ajv/dist/2020') as typeof import('ajv/dist/2020.js')
        // Our own schemas are validated by a test, not at each start.
        made = new Validator({
          allErrors,
          formats: wireFormats(),
          strict: false,
          // JSON can say 1e999, which no number of ours holds.
          strictNumbers: true,
          validateSchema: false,
          verbose: true,
          logger: false,
          // A validator runs some hundred times in a run: making its code smaller costs more than that saves.
          code: { optimize: false },
        })
      }
      return made
    },
  }
}

function validatorFor({ ajv, known }: Engine, revision: Revision, definition: string): ValidateFunction {
  if (!known.has(revision)) {
    const protocol = loadProtocol(revision)
    if (protocol !== undefined) ajv().addSchema(protocol.document)
    known.add(revision)
  }
  const validate = ajv().getSchema(uriOf(revision, definition))
  if (validate === undefined) throw new Error(`there is no definition ${uriOf(revision, definition)}`)
  return validate as ValidateFunction
}

/** Values that a message has room for, far more than any that we have seen, while each of them may be one error. */
const MANY_VALUES = 20_000

function isLarge(value: unknown): boolean {
  let count = 0
  const rest = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const inside of Object.values(next)) {
      count += 1
      if (count > MANY_VALUES) return true
      rest.push(inside)
    }
  }
  return false
}
