/** Ends after its first answer behind the handshake. */
import { runStdio } from '../run-stdio.ts'

let answers = 0
runStdio({
  write: text => {
    answers += 1
    process.stdout.write(text, () => {
      if (answers === 2) process.exit(0)
    })
  },
})
