/**
 * The schemas that the specification publishes, as a second opinion on ours. They lie beside this
 * repository, not in it; where they differ from the text, schema/errata.json puts them right.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isObject, mergePatch, nameIn, type Schema } from './protocol.ts'
import type { Revision } from './revision.ts'
import type { Resolve } from './schema-values.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = process.env.MCP_REFERENCE_SCHEMA ?? join(root, '../shared/reference-schema')

export const isPublishedHere = existsSync(folder)
export const placeOfPublished = folder

export interface Erratum {
  definition: string
  revisions: Revision[]
  /** a merge patch that puts the published definition right */
  patch: Schema
  /** a value that the text allows, or forbids, and the published definition does not */
  example: unknown
  why: string
}

export const errata = readJson(join(root, 'schema/errata.json')) as Erratum[]

export interface Published {
  names: string[]
  /** a message with its envelope: older files describe them without */
  schemaOf(name: string): Schema
  resolve: Resolve
  matches(name: string, value: unknown): boolean
}

export function readPublished(revision: Revision, corrected: boolean): Published {
  const document = readJson(join(folder, revision, 'schema.json'))
  if (!isObject(document)) throw new Error(`${folder}/${revision}/schema.json is no object`)
  const older = document.definitions !== undefined
  const definitions = patched(older ? document.definitions : document.$defs, corrected ? revision : undefined)
  const ajv = older ? new Ajv({ strict: false }) : new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'published:', [older ? 'definitions' : '$defs']: definitions })
  const referenceTo = (name: string): Schema => ({ $ref: `published:#/${older ? 'definitions' : '$defs'}/${name}` })
  const schemaOf = (name: string): Schema => {
    const envelope = older ? envelopeOf(name) : undefined
    return { allOf: [name, ...(envelope === undefined ? [] : [envelope])].map(referenceTo) }
  }
  const compiled = new Map<string, ValidateFunction>()
  return {
    names: Object.keys(definitions),
    schemaOf,
    resolve: $ref => definitions[nameIn({ $ref }) ?? ''],
    matches(name, value) {
      const validate = compiled.get(name) ?? ajv.compile(schemaOf(name))
      compiled.set(name, validate)
      return validate(value)
    },
  }
}

function patched(definitions: unknown, revision: Revision | undefined): Record<string, Schema> {
  const patches = errata.filter(one => revision !== undefined && one.revisions.includes(revision))
  const all = patches.reduce((sum, { definition, patch }) => mergePatch(sum, { [definition]: patch }), definitions)
  return Object.fromEntries(
    Object.entries(isObject(all) ? all : {}).filter((entry): entry is [string, Schema] => isObject(entry[1])),
  )
}

function envelopeOf(name: string): string | undefined {
  if (/^JSONRPC|^(?:Request|Notification)$/.test(name)) return undefined
  return /(?:Request|Notification)$/.exec(name)?.[0].replace(/^/, 'JSONRPC')
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
