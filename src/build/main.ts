/** Build step behind the compiler: the compiled catalogues and the index of the suites, so that a start reads two files. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { indexFile, readHeads } from '../engine/discover.ts'

// This file runs as dist/src/build/main.js: the package is three folders up.
const source = fileURLToPath(new URL('../../../schema/', import.meta.url))
const target = fileURLToPath(new URL('../../schema/', import.meta.url))

for (const revision of readdirSync(source)) {
  const folder = `${source}${revision}/requirements/`
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    continue
  }
  const entries = names
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
  const protocol = `${source}${revision}/protocol`
  try {
    cpSync(protocol, `${target}${revision}/protocol`, { recursive: true })
  } catch {
    // A revision whose wire is not described yet.
  }
}
writeFileSync(indexFile(), JSON.stringify(await readHeads()))
