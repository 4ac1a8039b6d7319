/** What the program knows of itself: its version and its exit codes. */
import { readFileSync } from 'node:fs'

export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3, harness: 4, interrupted: 130 } as const

/** Read from the package itself; in the built tree it lies one folder further up. */
export function packageVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        name?: string
        version?: string
      }
      if (found.name === 'mcp-conformance') return found.version ?? '0.0.0'
    } catch {
      // The other place it is.
    }
  }
  return '0.0.0'
}
