/** V8 collects lazily and lets the heap grow to several times what is in use: that is quick as long as it is small. */
import { setFlagsFromString } from 'node:v8'
import type { Frame } from '../wire/log.ts'

/** A run of all suites against an ordinary target hears less than this; one that hears more is being flooded. */
const FLOOD_CHARS = 24 * 1024 * 1024

/** Counts what is heard; once it is a flood, size counts more than speed, which halves the peak. */
export function watchFlood(): (frame: Frame) => void {
  let heard = 0
  return frame => {
    if (heard > FLOOD_CHARS || !('text' in frame)) return
    heard += frame.text.length
    if (heard > FLOOD_CHARS) setFlagsFromString('--optimize-for-size')
  }
}
