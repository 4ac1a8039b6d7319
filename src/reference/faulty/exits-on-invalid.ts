/** Ends with an uncaught exception at JSON that is no message, as with a debug switch left on. */
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    onInvalid: (): never => {
      process.stderr.write('Traceback: this is no JSON-RPC message\n')
      process.exit(1)
    },
  },
})
