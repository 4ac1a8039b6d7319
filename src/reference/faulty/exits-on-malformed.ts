/** Ends with an uncaught exception at the first line that is no JSON. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = { ...defaultPolicies(), parse: JSON.parse }
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
