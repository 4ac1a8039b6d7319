/** Ends with an uncaught exception at JSON that is no message, as with a debug switch left on. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = {
  ...defaultPolicies(),
  onInvalid: (): never => {
    process.stderr.write('Traceback: this is no JSON-RPC message\n')
    process.exit(1)
  },
}
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
