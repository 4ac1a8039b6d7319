import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadProtocol, nameIn, type Schema } from './protocol.ts'
import { errata, isPublishedHere, type Published, placeOfPublished, readPublished } from './published.ts'
import { factsAbout, REVISIONS, type Revision } from './revision.ts'
import { eachFault, oneFault, valuesOf } from './schema-values.ts'
import { matches } from './schemas.ts'

/** How many values a revision; they take a second. */
const COUNT = Number(process.env.MCP_SCHEMA_VALUES ?? 20_000)
const SEED = 20251125

const title = isPublishedHere
  ? 'against the published schemas'
  : `skipped: the published schemas are not in ${placeOfPublished}`

describe.skipIf(!isPublishedHere)(title, () => {
  test.each(REVISIONS)('%s: random values, right and with one fault, get the same answer', revision => {
    const theirs = readPublished(revision, true)
    const names = comparable(revision, theirs.names)
    const share = Math.ceil(COUNT / names.length)
    const differences = names.flatMap(name => {
      const mine = oursFor(revision, name)
      const right = fc.oneof(valuesOf(mine.schema, mine.resolve), valuesOf(theirs.schemaOf(name), theirs.resolve))
      const values = right.chain(value =>
        fc.oneof({ weight: 1, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: oneFault(value, NAMES) }),
      )
      return differing(name, mine, theirs, fc.sample(values, { seed: SEED, numRuns: share }))
    })
    expect(differences).toEqual([])
  })

  test.each(REVISIONS)('%s: every single fault in a full value gets the same answer', revision => {
    const theirs = readPublished(revision, true)
    const differences = comparable(revision, theirs.names).flatMap(name => {
      const mine = oursFor(revision, name)
      const full = fc.oneof(
        valuesOf(mine.schema, mine.resolve, 'all'),
        valuesOf(theirs.schemaOf(name), theirs.resolve, 'all'),
      )
      const values = fc.sample(full, { seed: SEED, numRuns: FULL_VALUES })
      return values.flatMap(value => differing(name, mine, theirs, [value, ...eachFault(value)]))
    })
    expect(differences).toEqual([])
  })

  test.each(errata)('the erratum of $definition in $revisions is one', ({ definition, revisions, example }) => {
    for (const revision of revisions) {
      expect(matches(revision, definition, example)).toBe(readPublished(revision, true).matches(definition, example))
      expect(matches(revision, definition, example)).not.toBe(
        readPublished(revision, false).matches(definition, example),
      )
    }
  })
})

/** Of a revision that is judged in part, these are there in outline only. */
const OUTLINED = [
  'CallToolRequest',
  'CallToolRequestParams',
  'CallToolResultResponse',
  'InputRequests',
  'InputRequiredResult',
  'InputResponseRequestParams',
  'InputResponses',
]

/** The published definitions that we have, too: all of them, but for a revision that is judged in part. */
function comparable(revision: Revision, names: readonly string[]): string[] {
  const ours = loadProtocol(revision)?.document.$defs ?? {}
  if (factsAbout(revision).judged === 'whole') return [...names]
  return names.filter(name => ours[name] !== undefined && !OUTLINED.includes(name))
}

/** Unions have up to five kinds of members; so many full values show most of them. */
const FULL_VALUES = 4

/** Members that a fault may add: some that mean something in one place or the other. */
const NAMES = [
  '_meta',
  'annotations',
  'arguments',
  'content',
  'data',
  'icons',
  'id',
  'mode',
  'name',
  'params',
  'title',
  'type',
]

interface Ours {
  schema: Schema
  resolve($ref: string): unknown
  matches(value: unknown): boolean
}

function differing(name: string, mine: Ours, theirs: Published, values: readonly unknown[]): string[] {
  return values
    .filter(value => mine.matches(value) !== theirs.matches(name, value))
    .map(value => `${name}: ${mine.matches(value) ? 'we allow' : 'they allow'} ${JSON.stringify(value)}`)
}

/** Names that older files give to definitions of ours. */
const RENAMED: Record<string, string> = {
  JSONRPCResponse: 'JSONRPCResultResponse',
  JSONRPCError: 'JSONRPCErrorResponse',
  ResourceReference: 'ResourceTemplateReference',
}

/** Our definition of that name, or the union that our index of the messages amounts to. */
function oursFor(revision: Revision, name: string): Ours {
  const names = unionOf(revision, name) ?? [(revision < '2025-11-25' ? RENAMED[name] : undefined) ?? name]
  const defs = loadProtocol(revision)?.document.$defs ?? {}
  return {
    schema: { anyOf: names.map(one => ({ $ref: `#/$defs/${one}` })) },
    resolve: $ref => defs[nameIn({ $ref }) ?? ''],
    matches: value => names.some(one => matches(revision, one, value)),
  }
}

function unionOf(revision: Revision, name: string): string[] | undefined {
  const [, side, part] = /^(Client|Server)(Request|Notification|Result)$/.exec(name) ?? []
  const protocol = loadProtocol(revision)
  if (side === undefined || protocol === undefined) return undefined
  const sender = (side === 'Client') === (part !== 'Result') ? 'client' : 'server'
  const kind = part === 'Notification' ? 'notification' : 'request'
  const wanted = part === 'Result' ? 'result' : kind
  return protocol.methods(sender, kind).flatMap(method => protocol.definitionOf(sender, method, wanted) ?? [])
}
