/** Writes its messages to the wrong stream. */
import { runStdio } from '../run-stdio.ts'

runStdio({ write: text => process.stderr.write(text) })
