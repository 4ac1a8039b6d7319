/** Ends after its first answer behind the handshake. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

let answers = 0
const server = serveStdio(defaultPolicies(), untampered, text => {
  answers += 1
  process.stdout.write(text, () => {
    if (answers === 2) process.exit(0)
  })
})
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
