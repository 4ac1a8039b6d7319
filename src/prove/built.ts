/** For tests: what `npm run build` has made. Proofs run from it, because a test runner would compile every suite anew. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A module of src/ as it was built; old ones would prove what is no longer there. */
export async function built<Module>(path: string): Promise<Module> {
  const made = statSync(join(root, 'dist/suites/index.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (newest('src') > made || newest('suites') > made)
    throw new Error('dist/ is older than src/ or suites/: npm run build')
  return (await import(pathToFileURL(join(root, 'dist/src', path)).href)) as Module
}

const newest = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .reduce((latest, name) => Math.max(latest, statSync(join(root, folder, name)).mtimeMs), 0)
