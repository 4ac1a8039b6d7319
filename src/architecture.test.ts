import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/**
 * Who may import whom, by folder under src/ (`suite` is src/suite.ts). Types only where it is said:
 * a value that crosses such a border would tie layers together that must stay apart.
 */
const TABLE: Record<string, { values: string[]; types?: string[] }> = {
  wire: { values: ['wire'] },
  spec: { values: ['spec'] },
  dialects: { values: ['dialects', 'wire', 'spec'] },
  peers: { values: ['peers', 'dialects', 'wire', 'spec'] },
  reference: { values: ['reference', 'wire', 'spec'] },
  suite: { values: ['suite', 'wire', 'spec', 'reference'], types: ['peers', 'dialects'] },
  engine: { values: ['engine', 'peers', 'wire', 'spec'], types: ['suite'] },
  prove: { values: ['prove', 'engine', 'peers', 'reference', 'wire', 'spec'], types: ['suite'] },
  report: { values: ['report', 'spec', 'wire', 'engine'], types: ['engine'] },
  cli: {
    values: ['cli', 'report', 'prove', 'engine', 'peers', 'reference', 'dialects', 'wire', 'spec'],
    types: ['suite'],
  },
  build: { values: ['build', 'engine', 'prove', 'spec'] },
  suites: { values: ['suite'] },
}

const root = fileURLToPath(new URL('..', import.meta.url))

const files = ['src', 'suites'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(folder, name).split(sep).join('/')),
)

function layerOf(path: string): string {
  if (path.startsWith('suites/')) return 'suites'
  if (path === 'src/suite.ts') return 'suite'
  return path.split('/')[1] ?? ''
}

const IMPORT = /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'/gm

describe('the import table', () => {
  test.each(files)('%s', file => {
    const from = layerOf(file)
    const rule = TABLE[from]
    expect(rule, `no rule for ${from}`).toBeDefined()
    const wrong: string[] = []
    for (const [, type, target] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const to = layerOf(
        relative(root, join(root, dirname(file), target as string))
          .split(sep)
          .join('/'),
      )
      const allowed = type === undefined ? rule?.values : [...(rule?.values ?? []), ...(rule?.types ?? [])]
      if (allowed?.includes(to) !== true) wrong.push(`${type === undefined ? '' : 'type '}${target}`)
    }
    expect(wrong).toEqual([])
  })
})

/** What takes part in a conversation lives by the clock that it was given: a proof has one of its own. */
const TIMED = ['wire', 'dialects', 'peers', 'reference', 'suite', 'engine']
const OWN_CLOCK = /\b(?:setTimeout|setInterval|Date\.now|performance\.now)\b|new Date\(\)/

describe('nothing but the clock looks at the time:', () => {
  test.each(
    files.filter(
      file =>
        TIMED.includes(layerOf(file)) && file !== 'src/wire/clock.ts' && !file.startsWith('src/reference/faulty/'),
    ),
  )('%s', file => {
    expect(readFileSync(join(root, file), 'utf8')).not.toMatch(OWN_CLOCK)
  })
})
