/** Ends with an uncaught exception at the first line that is no JSON. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { parse: JSON.parse } })
