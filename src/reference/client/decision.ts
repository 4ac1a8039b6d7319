/** Who decides about a request of the server: the model (sampling) or the user (elicitation), as they are set up. */
import { at, type JsonObject } from '../../wire/json-rpc.ts'
import type { AnswerContext } from './answer-context.ts'
import { elicit } from './elicitation.ts'
import type { Agreement } from './handshake.ts'
import type { Answer } from './reply.ts'
import { sample } from './sampling.ts'

export interface Decision {
  /** how long that takes */
  delayMs: number
  decide(): Answer
}

/** Undefined where nobody is set up for it. */
export function decisionOn(
  { policies, settings, user }: Pick<AnswerContext, 'policies' | 'settings' | 'user'>,
  { declared, version }: Pick<Agreement, 'declared' | 'version'>,
  method: string,
  params: JsonObject,
  requestProblem: string | undefined,
): Decision | undefined {
  const { sampling, elicitation } = settings
  const surroundings = (name: string) => ({ capability: at(declared, name), version, requestProblem })
  if (method === 'sampling/createMessage' && sampling !== undefined)
    return {
      delayMs: sampling.delayMs,
      decide: () => sample(policies.sampling, params, sampling, surroundings('sampling')),
    }
  if (method === 'elicitation/create' && elicitation !== undefined) {
    const ui = { ...user(), settings: elicitation }
    return { delayMs: elicitation.delayMs, decide: () => elicit(ui, params, surroundings('elicitation')) }
  }
  return undefined
}
