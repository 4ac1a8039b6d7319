/** Paths in the roots of a client (client/roots#security-considerations). */
import { posix } from 'node:path'

/** Whether a path lies in one of the roots, once its `..` are resolved. */
export function isInside(path: string, roots: readonly string[]): boolean {
  const real = posix.normalize(path)
  return roots.some(root => real === root || real.startsWith(root.endsWith('/') ? root : `${root}/`))
}
