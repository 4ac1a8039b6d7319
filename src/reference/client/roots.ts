/** The roots that the client tells of (client/roots). */
import { type Json, type JsonObject, notification, textAt } from '../../wire/json-rpc.ts'

/** How the client treats its roots, as values that can be replaced. */
export interface RootsRules {
  /** The roots as they are told, of those that the user has set. */
  told(roots: readonly Json[]): JsonObject[]
  /** What is sent when the user has changed them. */
  changed(roots: readonly JsonObject[]): JsonObject[]
}

export const correctRoots = (): RootsRules => ({
  told: roots => {
    const usable = roots.flatMap(root => {
      const uri = textAt(root, 'uri')
      const name = textAt(root, 'name')
      return uri !== undefined && isSafe(uri) ? [{ uri, ...(name === undefined ? {} : { name }) }] : []
    })
    return usable.filter(({ uri }, place) => usable.findIndex(other => other.uri === uri) === place)
  },
  changed: () => [notification('notifications/roots/list_changed')],
})

/** A file URI that means what it shows: `..` could lead out of what the user has approved. */
function isSafe(uri: string): boolean {
  if (!uri.startsWith('file://') || !URL.canParse(uri)) return false
  const segments = uri.slice('file://'.length).split(/[/\\]|%2f|%5c/i)
  return !segments.some(segment => /^\.{1,2}$/.test(segment.replace(/%2e/gi, '.')))
}
