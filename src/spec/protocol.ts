/**
 * The wire of a revision as JSON Schema. The newest one is written out in full, a file an area; each
 * older one is a JSON Merge Patch (RFC 7396) over its successor, so that what did not change is said
 * once. References lead from file to file there; here they lead into one document a revision.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Side } from './catalogue.ts'
import { REVISIONS, type Revision } from './revision.ts'

export type Schema = { readonly [keyword: string]: unknown }

/** task: the answer to a request that became a task. error: one with data of its own; its code stands for the method. */
export type Part = 'request' | 'result' | 'task' | 'notification' | 'error'

export interface Protocol {
  /** all definitions, by name, under an `$id` of their own */
  readonly document: { readonly $id: string; readonly $defs: Readonly<Record<string, Schema>> }
  /** The definition that a message has to match; undefined for methods that the revision does not know. */
  definitionOf(from: Side, method: string, part: Part): string | undefined
  /** The methods that a side may send. */
  methods(from: Side, part: 'request' | 'notification'): string[]
}

const known = new Map<Revision, Protocol | undefined>()

/** Undefined for a revision whose wire is not described here. */
export function loadProtocol(revision: Revision): Protocol | undefined {
  if (!known.has(revision)) {
    const files = filesOf(revision)
    known.set(revision, files === undefined ? undefined : protocolOf(revision, files))
  }
  return known.get(revision)
}

/** How a definition is named from outside of its document. */
export const uriOf = (revision: Revision, definition: string): string => `${baseOf(revision)}#/$defs/${definition}`

const baseOf = (revision: Revision): string => `mcp:${revision}`

type Files = Readonly<Record<string, unknown>>

const folderOf = (revision: Revision): string =>
  fileURLToPath(new URL(`../../schema/${revision}/protocol/`, import.meta.url))

function filesOf(revision: Revision): Files | undefined {
  const folder = folderOf(revision)
  if (!existsSync(folder)) return undefined
  const names = readdirSync(folder)
  const read = (name: string): unknown => JSON.parse(readFileSync(folder + name, 'utf8'))
  if (!names.includes('changes.json')) return Object.fromEntries(names.map(name => [name, read(name)]))
  const changes = read('changes.json')
  const onto = REVISIONS.find(one => isObject(changes) && changes.onto === one)
  const newer = onto === undefined ? undefined : filesOf(onto)
  if (newer === undefined || !isObject(changes)) throw new Error(`${folder}changes.json is onto no known revision`)
  return mergePatch(newer, changes.patch) as Files
}

/** RFC 7396: null removes a member, objects are merged, all else is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

function protocolOf(revision: Revision, files: Files): Protocol {
  const { 'messages.json': messages, ...areas } = files
  const found = Object.values(areas).flatMap(area => (isObject(area) && isObject(area.$defs) ? [area.$defs] : []))
  const all = Object.assign({}, ...found) as Record<string, Schema>
  const $defs = absolute(all, baseOf(revision)) as Record<string, Schema>
  const index = (from: Side, part: Part): Schema => {
    const group = isObject(messages) ? messages[from + GROUPS[part]] : {}
    return isObject(group) ? group : {}
  }
  return {
    document: { $id: baseOf(revision), $defs },
    definitionOf(from, method, part) {
      const group = index(from, part)
      const entry = Object.hasOwn(group, method) ? group[method] : undefined
      return nameIn(isObject(entry) && GROUPS[part] === 'Requests' ? entry[part] : entry)
    },
    methods: (from, part) => Object.keys(index(from, part)),
  }
}

const GROUPS: Record<Part, string> = {
  request: 'Requests',
  result: 'Requests',
  task: 'Requests',
  notification: 'Notifications',
  error: 'Errors',
}

/** References of the form `tools.json#/$defs/Tool` and `#/$defs/Tool`, made to lead into the one document. */
function absolute(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map(one => absolute(one, base))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [
      name,
      name === '$ref' && typeof inside === 'string' ? inside.replace(/^.*#/, `${base}#`) : absolute(inside, base),
    ]),
  )
}

/** The definition that a reference names. */
export function nameIn(reference: unknown): string | undefined {
  const $ref = isObject(reference) ? reference.$ref : undefined
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
