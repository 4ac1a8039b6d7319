/** Completion of the arguments of prompts and of the variables of resource templates (server/utilities/completion). */
import { at, codes, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { SessionView } from '../views.ts'
import { promptsOf } from './prompts.ts'
import { templates } from './resources.ts'
import type { Tools } from './tools.ts'

type Candidates = Record<string, (args: Record<string, string>) => string[]>
type Answer = JsonObject | { error: { code: number; message: string } }

/** More values are not allowed in one result. */
const MAX_VALUES = 100

const refuse = (message: string): Answer => ({ error: { code: codes.invalidParams, message } })

/** What the variables of templates may be; others are not completed. */
const values: Record<string, Candidates> = { 'test://template/{id}/data': { id: () => ['1', '12', '123'] } }

/** By argument; undefined where there is nothing of that name. */
function candidatesOf(ref: Json | undefined, session: SessionView): Candidates | undefined {
  const name = textAt(ref, 'name')
  if (at(ref, 'type') === 'ref/prompt' && name !== undefined) {
    const prompt = promptsOf(session).find(one => one.definition.name === name)
    if (prompt === undefined) return undefined
    const declared = Array.isArray(prompt.definition.arguments) ? prompt.definition.arguments : []
    return Object.fromEntries(
      declared.map(one => {
        const argument = textAt(one, 'name') ?? ''
        return [argument, prompt.candidates?.[argument] ?? (() => [])]
      }),
    )
  }
  const uri = textAt(ref, 'uri')
  if (at(ref, 'type') !== 'ref/resource' || uri === undefined) return undefined
  return templates.some(one => one.uriTemplate === uri) ? (values[uri] ?? {}) : undefined
}

export function complete(params: JsonObject, { session }: Tools): Answer {
  const name = textAt(params, 'argument', 'name')
  const value = textAt(params, 'argument', 'value')?.toLowerCase()
  if (name === undefined || value === undefined)
    return refuse('argument must have a name and a value, both of them text')
  const candidates = candidatesOf(params.ref, session)
  if (candidates === undefined) return refuse('ref is no prompt and no resource of this server')
  const given = at(params, 'context', 'arguments')
  const args = Object.fromEntries(
    Object.entries(isObject(given) ? given : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
  const found = (Object.hasOwn(candidates, name) ? candidates[name]?.(args) : undefined) ?? []
  const begins = found.filter(one => one.toLowerCase().startsWith(value))
  const contains = found.filter(one => !begins.includes(one) && one.toLowerCase().includes(value))
  const matches = [...begins, ...contains]
  return {
    completion: {
      values: matches.slice(0, MAX_VALUES),
      total: matches.length,
      hasMore: matches.length > MAX_VALUES,
    },
  }
}
