/** Writes its answers slowly, some bytes at a time, and never gets to the end of one. */
import { runStdio } from '../run-stdio.ts'

let waiting = ''
setInterval(() => {
  process.stdout.write(waiting.slice(0, 1))
  waiting = waiting.slice(1)
}, 100)
runStdio({
  write: text => {
    waiting += text
  },
})
