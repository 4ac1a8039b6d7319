/** Answers everything, but neither the end of stdin nor SIGTERM ends it. */
import { runStdio } from '../run-stdio.ts'

process.on('SIGTERM', () => {})
setInterval(() => {}, 60_000)
runStdio({ atEnd: () => {} })
