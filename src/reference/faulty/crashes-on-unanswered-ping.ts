/** Pings its client after the handshake and aborts when no answer comes in time. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = {
  ...defaultPolicies(),
  greets: (when: 'answered' | 'initialized') => (when === 'initialized' ? [{ method: 'ping' }] : []),
  askTimeoutMs: 90,
  onAskTimeout: () => process.abort(),
}
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
