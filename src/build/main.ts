/** Build step behind the compiler: the compiled catalogues, the schemas of the wire, and the index of the suites. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { indexFile, readHeads } from '../engine/discover.ts'

// This file runs as dist/src/build/main.js: the package is three folders up.
const source = fileURLToPath(new URL('../../../schema/', import.meta.url))
const target = fileURLToPath(new URL('../../schema/', import.meta.url))

for (const revision of readdirSync(source)) {
  compileCatalogue(revision)
  const protocol = `${source}${revision}/protocol`
  if (existsSync(protocol)) cpSync(protocol, `${target}${revision}/protocol`, { recursive: true })
}
cpSync(`${source}fixtures.json`, `${target}fixtures.json`)
writeFileSync(indexFile(), JSON.stringify(await readHeads()))

function compileCatalogue(revision: string): void {
  const folder = `${source}${revision}/requirements/`
  if (!existsSync(folder)) return
  const entries = readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .flatMap(name =>
      (parse(readFileSync(folder + name, 'utf8')) as object[]).map(entry => ({
        ...entry,
        area: name.replace('.yaml', ''),
      })),
    )
  mkdirSync(`${target}${revision}/requirements`, { recursive: true })
  writeFileSync(`${target}${revision}/requirements/catalogue.json`, JSON.stringify(entries))
}
