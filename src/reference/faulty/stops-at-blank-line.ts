/** Takes a blank line for the end of its input, stops reading, and ends. */
import { createLineReader } from '../../wire/lines.ts'
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    reader: (onLine: (text: string) => void) =>
      createLineReader(({ text }) => {
        if (text.trim() === '') process.exit(0)
        onLine(text)
      }),
  },
})
