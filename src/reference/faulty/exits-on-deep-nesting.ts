/** Reads JSON by recursion and ends where the stack does. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = {
  ...defaultPolicies(),
  parse(text: string) {
    if (text.includes('['.repeat(500))) process.exit(134)
    return defaultPolicies().parse(text)
  },
}
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
