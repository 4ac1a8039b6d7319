/** Answers each request after the handshake only when nobody waits for it any more. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { delay: message => (message.method === 'initialize' ? 0 : 6_000) } })
