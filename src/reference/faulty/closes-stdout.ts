/** Closes its stdout after two answers, and lives on. */
import { closeSync, writeSync } from 'node:fs'
import { runStdio } from '../run-stdio.ts'

const STDOUT = 1
let answers = 0
runStdio({
  write(text) {
    answers += 1
    if (answers <= 2) writeSync(STDOUT, text)
    if (answers === 2) closeSync(STDOUT)
  },
})
