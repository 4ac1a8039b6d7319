/** Takes a method that it does not know for a reason to end. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { onUnknownMethod: () => process.exit(1) } })
