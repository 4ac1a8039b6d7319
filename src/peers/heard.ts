/** The messages of the target in one session, the newest of them: what scenarios look back on. */
import type { MessageFrame } from '../wire/log.ts'

/** Frames and characters kept; enough for any one scenario, whatever the target sends. */
const MAX_HEARD = 5_000
const MAX_HEARD_CHARS = 4 * 1024 * 1024

export interface Heard {
  add(frame: MessageFrame): void
  /** Those behind frame number `mark`. */
  since(mark: number): MessageFrame[]
  /** What was heard so far was for somebody else. */
  forget(): void
}

export function createHeard(maxFrames = MAX_HEARD, maxChars = MAX_HEARD_CHARS): Heard {
  const frames: MessageFrame[] = []
  let chars = 0
  return {
    add(frame) {
      frames.push(frame)
      chars += frame.text.length
      while (frames.length > maxFrames || (chars > maxChars && frames.length > 1)) {
        chars -= frames.shift()?.text.length ?? 0
      }
    },
    forget() {
      frames.length = 0
      chars = 0
    },
    since: mark => frames.filter(frame => frame.seq > mark),
  }
}
