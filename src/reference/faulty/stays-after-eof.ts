/** Never ends by itself: a timer keeps it alive when its stdin is closed. */
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const server = serveStdio(defaultPolicies(), untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
setInterval(() => {}, 60_000)
