/** Which feature answers a method: those of capabilities that the server has declared, and those that need none. */
import { at, isObject, type JsonObject } from '../../wire/json-rpc.ts'

export type FeatureTable<F> = Readonly<Record<string, { capability?: string; run: F }>>

export function featureOf<F>(table: FeatureTable<F>, method: string, declared: JsonObject): F | undefined {
  const known = Object.hasOwn(table, method) ? table[method] : undefined
  if (known === undefined) return undefined
  return known.capability === undefined || declares(declared, known.capability) ? known.run : undefined
}

/** `resources.subscribe` is a switch inside a capability. */
export function declares(capabilities: JsonObject, path: string): boolean {
  const [name = '', option] = path.split('.')
  const value = option === undefined ? true : at(capabilities, name, option)
  return Object.hasOwn(capabilities, name) && (value === true || isObject(value))
}
