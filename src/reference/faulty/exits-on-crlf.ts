/** A line that ends in CR LF ends its reading loop, and with it the process. */
import { createLineReader } from '../../wire/lines.ts'
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    reader: (onLine: (text: string) => void) =>
      createLineReader(({ text, crlf }) => {
        if (crlf === true) process.exit(0)
        onLine(text)
      }),
  },
})
