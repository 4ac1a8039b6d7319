/** Whether a tool may be called: a fixture always, others as the user allows (`--call-tools`). */
import { at, type Json } from '../wire/json-rpc.ts'
import type { CallTools } from './target.ts'

/** Fixtures are made to be called; their names begin so and nobody else's do. */
const FIXTURE = /^(?:test_|json_schema_)/

export const isFixture = (name: string): boolean => FIXTURE.test(name)

/** `tool` is its entry in tools/list. `safe`: fixtures, and tools that say `readOnlyHint: true`. */
export function mayCall(tool: Json | undefined, allowed: CallTools): boolean {
  const name = at(tool, 'name')
  if (typeof name !== 'string') return false
  if (isFixture(name)) return true
  switch (allowed.kind) {
    case 'fixtures':
      return false
    case 'safe':
      return at(tool, 'annotations', 'readOnlyHint') === true && at(tool, 'annotations', 'destructiveHint') !== true
    case 'all':
      return true
    case 'named':
      return allowed.names.includes(name)
  }
}
