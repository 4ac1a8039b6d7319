import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { judges, loadCatalogue, observable, readSources, specUrl } from './catalogue.ts'

const schema = JSON.parse(readFileSync(new URL('../../schema/requirements.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema)

describe.each(['2025-11-25', '2026-07-28'] as const)('the catalogue of %s', revision => {
  const entries = readSources(revision)

  test('has the form that its schema describes', () => {
    const bare = entries.map(({ area: _area, ...entry }) => entry)
    validate(bare)
    expect(validate.errors ?? []).toEqual([])
  })

  test('names each requirement once', () => {
    const ids = entries.map(entry => entry.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('keeps since before until', () => {
    expect(entries.filter(entry => entry.until !== undefined && entry.until < entry.since)).toEqual([])
  })

  test('excuses only what a check could see', () => {
    const wrong = entries.filter(entry =>
      (['server', 'client'] as const).some(side => entry.excused?.[side] !== undefined && !observable(entry, side)),
    )
    expect(wrong.map(entry => entry.id)).toEqual([])
  })
})

describe('reading the catalogue', () => {
  test('an unknown id is an error that names it', () => {
    expect(() => loadCatalogue('2025-11-25').get('no.such.id')).toThrow(/no\.such\.id/)
  })

  test('a client entry is judged on servers where the catalogue says so', () => {
    const entry = loadCatalogue('2025-11-25').get('transport-http.get.client-may-close')
    expect([entry.role, judges(entry, 'server'), judges(entry, 'client')]).toEqual(['client', true, false])
  })

  test('links lead to the page and the anchor of the revision', () => {
    const catalogue = loadCatalogue('2025-11-25')
    expect(specUrl(catalogue.get('ping.response.prompt'), '2025-11-25')).toBe(
      'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping#behavior-requirements',
    )
    expect(specUrl(catalogue.get('base.batch.receive'), '2025-03-26')).toBe(
      'https://modelcontextprotocol.io/specification/2025-03-26/basic#batching',
    )
    expect(specUrl(catalogue.get('robustness.input.crlf'), '2025-11-25')).toBeUndefined()
  })
})
