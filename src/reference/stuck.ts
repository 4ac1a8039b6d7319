/** For faults of robustness: the server lives on, but has stopped to answer. */
import { parseJson } from '../wire/json-rpc.ts'
import type { Policies } from './policies.ts'

/** Once it has read a text that fits it answers nothing any more, until the next `initialize`. */
export const stuckBy =
  (fits: (text: string) => boolean): (() => Partial<Policies>) =>
  () => {
    let stuck = false
    return {
      parse(text) {
        if (fits(text)) stuck = true
        return parseJson(text)
      },
      drops(message) {
        if (message.method === 'initialize') stuck = false
        return stuck
      },
    }
  }
