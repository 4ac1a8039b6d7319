/**
 * A schema with its references followed and its combinations multiplied out: each branch is one flat
 * schema, and an instance of it is likely an instance of the whole. What cannot be told by merging
 * keywords (`not`, `oneOf` where two sides fit) is left to the validator.
 */
export type Branch = { readonly [keyword: string]: unknown }

/** What may still be spent on a schema: one step for each part that is looked at. */
export interface Budget {
  steps: number
}

/** References that lead to references further than this lead in a circle. */
const MAX_HOPS = 16

/** All readings of a schema: one side of each anyOf, oneOf and if, merged with what always counts. */
export function* flatten(schema: unknown, root: unknown, budget: Budget, hops = 0): Iterable<Branch> {
  budget.steps -= 1
  if (budget.steps < 0 || hops > MAX_HOPS) return
  if (schema === true) yield {}
  if (!isObject(schema)) return
  const { $ref, allOf, anyOf, oneOf, if: condition, then: met, else: unmet, ...own } = schema
  const always: unknown[] = Array.isArray(allOf) ? [...allOf] : []
  if (typeof $ref === 'string') {
    const target = resolve($ref, root)
    if (target === undefined) return
    always.push(target)
  }
  const choices = always.map(part => [part])
  for (const sides of [anyOf, oneOf]) if (Array.isArray(sides)) choices.push(sides)
  // Without its members the condition is rarely met: that side comes first.
  if (condition !== undefined) choices.push([unmet ?? true, { allOf: [condition, met ?? true] }])
  yield* combine(own, choices, root, budget, hops + 1)
}

function* combine(
  branch: Branch,
  choices: readonly unknown[][],
  root: unknown,
  budget: Budget,
  hops: number,
): Iterable<Branch> {
  const [sides, ...others] = choices
  if (sides === undefined) {
    yield branch
    return
  }
  for (const side of sides)
    for (const part of flatten(side, root, budget, hops)) {
      const merged = merge(branch, part)
      if (merged !== undefined) yield* combine(merged, others, root, budget, hops)
    }
}

/** What both ask for; `undefined` where that is plainly impossible. */
function merge(a: Branch, b: Branch): Branch | undefined {
  const merged: Record<string, unknown> = { ...b, ...a }
  for (const [keyword, value] of Object.entries(b)) {
    const known = a[keyword]
    if (known === undefined) continue
    const both = join(keyword, known, value)
    if (both === undefined) return undefined
    merged[keyword] = both
  }
  return merged
}

function join(keyword: string, a: unknown, b: unknown): unknown {
  switch (keyword) {
    case 'properties':
      return joinMembers(a, b)
    case 'required':
      return [...new Set([...listed(a), ...listed(b)])]
    case 'type':
    case 'enum': {
      const common = listed(a).filter(one => listed(b).includes(one))
      if (common.length > 0) return common
      // An integer is a number, too.
      return [...listed(a), ...listed(b)].every(one => one === 'integer' || one === 'number') ? 'integer' : undefined
    }
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return Math.max(Number(a), Number(b))
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return Math.min(Number(a), Number(b))
    case 'additionalProperties':
      return a === false || b === false ? false : a
    default:
      return a
  }
}

function joinMembers(a: unknown, b: unknown): unknown {
  if (!isObject(a) || !isObject(b)) return a
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries(
    [...names].map(name => {
      if (!Object.hasOwn(a, name)) return [name, b[name]]
      return [name, Object.hasOwn(b, name) ? { allOf: [a[name], b[name]] } : a[name]]
    }),
  )
}

/** What a reference inside the same document names: a JSON pointer, or the `$anchor` of a definition. */
function resolve(reference: string, root: unknown): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#')) return undefined
  if (!reference.startsWith('#/')) return anchored(root, reference.slice(1))
  let here: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) here = here[Number(name)]
    else here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined
  }
  return here
}

const anchored = (root: unknown, name: string): unknown =>
  isObject(root) && isObject(root.$defs)
    ? Object.values(root.$defs).find(definition => isObject(definition) && definition.$anchor === name)
    : undefined

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
