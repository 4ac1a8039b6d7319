/** For faults of robustness: the server lives on, but has stopped to answer. */
import type { PolicyChanges } from '../reference/changes.ts'
import { parseJson } from '../wire/json-rpc.ts'

/** Once it has read a text that fits it answers nothing any more, until the next `initialize`. */
export const stuckBy =
  (fits: (text: string) => boolean): (() => PolicyChanges) =>
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
