import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'
import { describe, expect, test } from 'vitest'

/**
 * Who may import whom, by folder under src/. `types` may cross where values must not: a value that crosses such a
 * border would tie layers together that have to stay apart, and would be loaded in every user's run.
 */
const LAYERS: Record<string, { values: string[]; types?: string[] }> = {
  wire: { values: [] },
  spec: { values: ['wire'] },
  dialects: { values: ['wire', 'spec'] },
  peers: { values: ['dialects', 'wire', 'spec'] },
  // The reference is the server of the peers with policies in it: of the peers it may use that, and no more.
  reference: { values: ['peers/server', 'wire', 'spec'] },
  suite: { values: ['wire', 'spec'], types: ['peers', 'dialects', 'reference'] },
  engine: { values: ['dialects', 'peers', 'suite', 'wire', 'spec'] },
  prove: { values: ['engine', 'peers', 'reference', 'suite', 'wire', 'spec'] },
  report: { values: ['engine', 'wire', 'spec'] },
  cli: { values: ['report', 'prove', 'engine', 'peers', 'reference', 'dialects', 'wire', 'spec'], types: ['suite'] },
  build: { values: ['engine', 'prove', 'peers', 'wire', 'spec'] },
}

/** In the sources types are imports, too; the compiler has erased them from what it wrote. */
const TREES = [
  { name: 'sources', prefix: '', ending: 'ts', types: true },
  { name: 'compiled files', prefix: 'dist/', ending: 'js', types: false },
] as const

type Rule = NonNullable<IFlattenedRuleSet['forbidden']>[number]

function rulesOf({ prefix, ending, types }: (typeof TREES)[number]): Rule[] {
  const folders = (names: readonly string[]): string => `^${prefix}src/(?:${names.join('|')})/`
  const outside = (names: readonly string[]): { path: string[]; pathNot: string } => ({
    path: [`^${prefix}src/`, `^${prefix}suites/`],
    pathNot: folders(names),
  })
  return [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(LAYERS).map(
      ([layer, rule]): Rule => ({
        name: `imports-of-${layer}`,
        severity: 'error',
        from: { path: `^${prefix}src/${layer}/` },
        to: outside([layer, ...rule.values, ...(types ? (rule.types ?? []) : [])]),
      }),
    ),
    {
      name: 'suites-import-their-authoring-module-and-files-that-begin-with-_',
      severity: 'error',
      from: { path: `^${prefix}suites/` },
      to: {
        pathNot: [
          `^${prefix}src/suite/(?:server|client|monitor)\\.${ending}$`,
          `^${prefix}suites/[a-z0-9/-]*/_[a-z0-9-]+\\.${ending}$`,
        ],
      },
    },
  ]
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Fewer modules than the house has would mean that the parser has found no imports, not that there are none to forbid. */
const MODULES = 550
const IMPORTS = 1_500

describe.each(TREES)('the import table, in the $name', tree => {
  test('is kept, without cycles', async () => {
    expect(existsSync(`${root}${tree.prefix}src`), 'npm run build comes first').toBe(true)
    const options: ICruiseOptions = {
      baseDir: root,
      exclude: { path: '\\.test\\.ts$' },
      doNotFollow: { path: 'node_modules' },
      enhancedResolveOptions: { extensions: ['.ts', '.js'] },
      ruleSet: { forbidden: rulesOf(tree) },
      validate: true,
      ...(tree.types ? { parser: 'swc', tsPreCompilationDeps: true } : { parser: 'acorn' }),
    }
    const { output } = await cruise([`${tree.prefix}src`, `${tree.prefix}suites`], options)
    const { summary } = output as ICruiseResult
    expect(summary.totalCruised).toBeGreaterThan(MODULES)
    expect(summary.totalDependenciesCruised).toBeGreaterThan(tree.types ? IMPORTS : MODULES)
    expect(
      summary.violations.map(
        one => `${one.rule.name}: ${one.from} -> ${one.cycle?.map(step => step.name).join(' -> ') ?? one.to}`,
      ),
    ).toEqual([])
  })
})

const files = ['src', 'suites'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(folder, name).split(sep).join('/')),
)

const layerOf = (path: string): string => (path.startsWith('suites/') ? 'suites' : (path.split('/')[1] ?? ''))

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
