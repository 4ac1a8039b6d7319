/** Who answers what the server asks: the scenario in force, else the usual answers. */
import type { Family, InputRequired } from '../dialects/family.ts'
import { at, isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import { type Answer, type Handler, METHOD_NOT_FOUND } from './correlator.ts'

export interface Handlers {
  on(method: string, handler: Handler): void
  /** Undefined for what nobody answers, which is refused; notifications are nobody's either. */
  find(method: string): Handler | undefined
  /** The results for what a server asks for inside a result, by key; undefined where one is refused. `frame` carried it. */
  answerAll(asked: InputRequired['requests'], frame: MessageFrame): Promise<JsonObject | undefined>
  /** Forgets what the scenario has set up. */
  reset(): void
}

export function createHandlers(family: Family, capabilities: JsonObject): Handlers {
  const usual = usualAnswers(family, capabilities)
  let ofScenario = new Map<string, Handler>()
  // What a scenario once handled is answered to the end, if only by a refusal: also where it has no id to answer.
  const everHandled = new Set<string>()
  const find: Handlers['find'] = method => {
    const own = ofScenario.get(method)
    if (own !== undefined) return own
    const answer = usual.get(method) ?? (everHandled.has(method) ? METHOD_NOT_FOUND : undefined)
    return answer === undefined ? undefined : () => answer
  }
  return {
    on(method, handler) {
      ofScenario.set(method, handler)
      everHandled.add(method)
    },
    find,
    async answerAll(asked, frame) {
      const responses: JsonObject = {}
      for (const { key, method, params } of asked) {
        // A refusal has no form there: who refuses does not ask again.
        const answer = await find(method)?.({ method, params }, frame)
        if (answer === undefined || answer === 'silence' || 'error' in answer) return undefined
        responses[key] = answer.result
      }
      return responses
    },
    reset() {
      ofScenario = new Map()
    },
  }
}

/**
 * How we answer what we have declared, where a scenario does not say otherwise: a server may ask the very moment the
 * handshake is over. Legal and without any effect: no roots, the user declines.
 */
export function usualAnswers(family: Family, capabilities: JsonObject): Map<string, Answer> {
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
