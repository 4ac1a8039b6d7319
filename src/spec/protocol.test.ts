import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { loadProtocol, mergePatch } from './protocol.ts'
import { REVISIONS, STATEFUL } from './revision.ts'

describe.each(REVISIONS)('our schemas of %s', revision => {
  const protocol = loadProtocol(revision)
  const document = protocol?.document ?? { $id: '', $defs: {} }

  test('are valid under 2020-12, with keywords and formats that exist', () => {
    const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
    addFormats.default(ajv)
    ajv.addSchema(document)
    for (const name of Object.keys(document.$defs))
      expect(ajv.getSchema(`${document.$id}#/$defs/${name}`)).toBeDefined()
  })

  test('refer to definitions that exist, and say of each what it is', () => {
    const referred = [...JSON.stringify(document).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g)].map(([, name]) => name ?? '')
    expect(referred.filter(name => document.$defs[name] === undefined)).toEqual([])
    expect(Object.entries(document.$defs).filter(([, schema]) => typeof schema.description !== 'string')).toEqual([])
  })

  test('know each method of the side that sends it', () => {
    expect(protocol?.definitionOf('server', 'tools/list', 'request')).toBeUndefined()
    expect(protocol?.definitionOf('client', 'toString', 'request')).toBeUndefined()
  })
})

describe.each(STATEFUL)('our schemas of %s', revision => {
  const protocol = loadProtocol(revision)

  test('are found by side, method and part', () => {
    expect(protocol?.definitionOf('client', 'tools/list', 'result')).toBe('ListToolsResult')
    expect(protocol?.definitionOf('server', 'notifications/message', 'notification')).toBe('LoggingMessageNotification')
    expect(protocol?.definitionOf('client', 'tools/call', 'task')).toBe(
      revision === '2025-11-25' ? 'CreateTaskResult' : undefined,
    )
  })
})

test('of 2026-07-28 the thin path is described', () => {
  const protocol = loadProtocol('2026-07-28')
  expect(protocol?.methods('client', 'request')).toEqual(['server/discover', 'tools/list', 'tools/call'])
  expect(protocol?.methods('server', 'request')).toEqual([])
  expect(protocol?.definitionOf('server', '-32022', 'error')).toBe('UnsupportedProtocolVersionError')
})

test.each(['2025-11-25', '2026-07-28'])('%s: no name is used in two files, as references forget the file', revision => {
  const folder = fileURLToPath(new URL(`../../schema/${revision}/protocol/`, import.meta.url))
  const files = readdirSync(folder).map(name => JSON.parse(readFileSync(folder + name, 'utf8')))
  const names = files.flatMap(file => Object.keys(file.$defs ?? {}))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a merge patch removes with null, merges objects and replaces all else', () => {
  const before = { a: { b: 1, c: [1, 2] }, d: 1 }
  expect(mergePatch(before, { a: { b: null, c: [3] }, d: { e: null, f: 1 } })).toEqual({ a: { c: [3] }, d: { f: 1 } })
  expect(before).toEqual({ a: { b: 1, c: [1, 2] }, d: 1 })
})
