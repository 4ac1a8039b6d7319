/** Build step behind the compiler: the compiled catalogues, the schemas of the wire, and the index of the suites. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { indexFile, readHeads } from '../engine/discover.ts'
import { readSources } from '../spec/catalogue.ts'
import { isRevision } from '../spec/revision.ts'

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
  const sources = `${source}${revision}/requirements/`
  if (!isRevision(revision) || !existsSync(sources)) return
  mkdirSync(`${target}${revision}/requirements`, { recursive: true })
  writeFileSync(`${target}${revision}/requirements/catalogue.json`, JSON.stringify(readSources(revision, sources)))
}
