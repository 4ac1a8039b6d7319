/** The reference server as a program of its own: `main.js stdio`, or `main.js http [port]`. */
import { untampered } from './outgoing.ts'
import { defaultPolicies } from './policies.ts'
import { runStdio } from './run-stdio.ts'
import { serveHttp } from './server/http.ts'

const [mode = 'stdio', port = '0'] = process.argv.slice(2)
if (mode === 'http') {
  const server = await serveHttp(defaultPolicies(), untampered, Number(port))
  process.stderr.write(`listening at ${server.url}\n`)
  process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
} else {
  runStdio()
}
