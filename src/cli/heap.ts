/** V8 collects lazily and lets the heap grow to several times what is in use: that is quick as long as it is small. */
import { setFlagsFromString } from 'node:v8'
import type { Frame } from '../wire/log.ts'

/**
 * Whole runs of the servers that we know hear 1 to 2 MiB; one that hears more than this is being flooded. Later would be too
 * late: at 24 MiB the heap had grown to 400 MB in one of two floods before it was told to stay small, at this limit it stays
 * below 250 MB in all of them.
 */
const FLOOD_CHARS = 6 * 1024 * 1024

/** Counts what is heard; once it is a flood, size counts more than speed, which halves the peak. */
export function watchFlood(): (frame: Frame) => void {
  let heard = 0
  return frame => {
    const isHeard = 'text' in frame && !('from' in frame && frame.from === 'us')
    if (heard > FLOOD_CHARS || !isHeard) return
    heard += frame.text.length
    if (heard > FLOOD_CHARS) setFlagsFromString('--optimize-for-size')
  }
}
