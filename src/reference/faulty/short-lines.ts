/** Reads lines of 64 KiB at most, as a scanner with a fixed buffer does; what is longer ends its reading. */

import { createLineReader } from '../../wire/lines.ts'
import { runStdio } from '../run-stdio.ts'

let ended = false
runStdio({
  policies: {
    reader: (onLine: (text: string) => void) =>
      createLineReader(line => {
        if (line.flaw === 'too-long') ended = true
        else if (!ended) onLine(line.text)
      }, 64 * 1024),
  },
})
