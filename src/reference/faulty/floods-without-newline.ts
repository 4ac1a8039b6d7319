/** Answers the handshake, then writes without end and without a newline. */
import { runStdio } from '../run-stdio.ts'

const chunk = 'x'.repeat(64 * 1024)
const flood = (): void => {
  while (process.stdout.write(chunk)) {
    // As long as the pipe takes it.
  }
  process.stdout.once('drain', flood)
}
runStdio({ policies: { onNotification: () => void setImmediate(flood) as undefined } })
