/** Who answers what the server asks: the scenario in force, else the default answers. */
import type { Family, InputRequired } from '../dialects/family.ts'
import type { JsonObject } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import { type Handler, METHOD_NOT_FOUND } from './correlator.ts'
import { defaultAnswers } from './default-answers.ts'

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
  const usual = defaultAnswers(family, capabilities)
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
