/** What our client says when it is asked and no scenario has another answer. */
import { at, isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { Answer } from './correlator.ts'

/**
 * How we answer what we have declared, where a scenario does not say otherwise: a server may ask the very moment the
 * handshake is over. Legal and without any effect: no roots, the user declines.
 */
export function courtesies(hello: JsonObject): [string, Answer][] {
  const offers = (name: string): boolean => isObject(at(hello, 'capabilities', name))
  return [
    ['ping', { result: {} }],
    ...(offers('roots') ? ([['roots/list', { result: { roots: [] } }]] as [string, Answer][]) : []),
    ...(offers('sampling')
      ? ([['sampling/createMessage', { error: { code: -1, message: 'User rejected sampling request' } }]] as [
          string,
          Answer,
        ][])
      : []),
    ...(offers('elicitation')
      ? ([['elicitation/create', { result: { action: 'decline' } }]] as [string, Answer][])
      : []),
  ]
}
