/** Writes its messages to the wrong stream. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const server = serveStdio(defaultPolicies(), untampered, text => process.stderr.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
