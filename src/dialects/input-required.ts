/** Requests that take several rounds (basic/patterns/mrtr): the server asks inside a result, we answer by asking again. */
import { at, isObject, type Json, type JsonObject, textAt } from '../wire/json-rpc.ts'
import type { InputRequired } from './family.ts'

/** What the result asks for; undefined where it is complete. */
export function inputsIn(result: Json): InputRequired | undefined {
  if (at(result, 'resultType') !== 'input_required') return undefined
  const asked = at(result, 'inputRequests')
  const state = textAt(result, 'requestState')
  const requests = Object.entries(isObject(asked) ? asked : {}).flatMap(([key, one]) => {
    const method = textAt(one, 'method')
    const params = at(one, 'params')
    return method === undefined ? [] : [{ key, method, params: isObject(params) ? params : {} }]
  })
  return { requests, ...(state === undefined ? {} : { state }) }
}

/** The params of the same request again: with the answers, and with the state exactly as it came or not at all. */
export function retryParams(
  params: JsonObject | undefined,
  responses: JsonObject,
  state: string | undefined,
): JsonObject {
  const { inputResponses: _answers, requestState: _state, ...rest } = params ?? {}
  return {
    ...rest,
    ...(Object.keys(responses).length === 0 ? {} : { inputResponses: responses }),
    ...(state === undefined ? {} : { requestState: state }),
  }
}
