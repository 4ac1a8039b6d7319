/** What a prompt or a template leaves open: values for it, for scenarios that know it only by its listing. */
import { variablesOf } from '../spec/uri-template.ts'
import { isObject, type JsonObject } from '../wire/json-rpc.ts'

/** What stands for an argument of which only the name is known: a URI where it asks for one, else a short text. */
const sampleValue = (name: string): string => (/ur[il]/i.test(name) ? 'test://example-resource' : 'test')

/** Values for what a prompt declares: for all its arguments, or for those that it requires. */
export function sampleArguments(prompt: JsonObject, which: 'all' | 'required'): JsonObject {
  const declared = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isObject) : []
  const names = declared
    .filter(one => which === 'all' || one.required === true)
    .flatMap(one => (typeof one.name === 'string' ? [one.name] : []))
  return Object.fromEntries(names.map(name => [name, sampleValue(name)]))
}

/** What may be completed: an argument of a listed prompt, or a variable of a listed template. */
export interface Completable {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  argument: string
}

export const argumentsIn = (prompts: readonly JsonObject[]): Completable[] =>
  prompts.flatMap(prompt => {
    const { name } = prompt
    if (typeof name !== 'string') return []
    return Object.keys(sampleArguments(prompt, 'all')).map(argument => ({
      ref: { type: 'ref/prompt', name },
      argument,
    }))
  })

export const variablesIn = (templates: readonly JsonObject[]): Completable[] =>
  templates.flatMap(({ uriTemplate: uri }) =>
    typeof uri === 'string' ? variablesOf(uri).map(argument => ({ ref: { type: 'ref/resource', uri }, argument })) : [],
  )
