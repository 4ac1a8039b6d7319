/** The arguments of a prompt, as its definition declares them (server/prompts#getting-a-prompt). */
import { isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'

export type PromptArguments = Record<string, string>

/** The declared arguments, all of them text; a sentence where they are not. */
export function promptArguments(definition: JsonObject, given: Json | undefined): PromptArguments | string {
  if (given !== undefined && !isObject(given)) return 'arguments must be an object'
  const declared = Array.isArray(definition.arguments) ? definition.arguments.filter(isObject) : []
  const args: PromptArguments = {}
  for (const { name, required } of declared) {
    const value = Object.hasOwn(given ?? {}, String(name)) ? given?.[String(name)] : undefined
    if (typeof value === 'string') args[String(name)] = value
    else if (value !== undefined) return `the argument ${name} must be a text`
    else if (required === true) return `the argument ${name} is missing`
  }
  return args
}
