/** What our client says when it is asked and no scenario has another answer. */
import type { Family } from '../dialects/family.ts'
import { at, isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { Answer } from './correlator.ts'

/**
 * How we answer what we have declared, where a scenario does not say otherwise: a server may ask the very moment the
 * handshake is over. Legal and without any effect: no roots, the user declines.
 */
export function defaultAnswers(family: Family, capabilities: JsonObject): Map<string, Answer> {
  const offers = (name: string): boolean => isObject(at(capabilities, name))
  const always = Object.entries(family.alwaysAnswered).map(([method, result]): [string, Answer] => [method, { result }])
  const declared: [string, string, Answer][] = [
    ['roots', 'roots/list', { result: { roots: [] } }],
    ['sampling', 'sampling/createMessage', { error: { code: -1, message: 'User rejected sampling request' } }],
    ['elicitation', 'elicitation/create', { result: { action: 'decline' } }],
  ]
  return new Map([
    ...always,
    ...declared.filter(([name]) => offers(name)).map(([, method, answer]): [string, Answer] => [method, answer]),
  ])
}
