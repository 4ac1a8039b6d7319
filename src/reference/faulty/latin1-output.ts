/** Writes its answers in Latin-1: the umlaut in its name is one byte that is no UTF-8. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = { ...defaultPolicies(), serverInfo: { name: 'übel', version: '1' } }
const server = serveStdio(policies, untampered, text => process.stdout.write(text, 'latin1'))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
