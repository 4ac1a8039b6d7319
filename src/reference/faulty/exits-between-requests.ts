/** Ends without being asked to, a moment after the handshake. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { onNotification: () => void setTimeout(() => process.exit(3), 30) as undefined } })
