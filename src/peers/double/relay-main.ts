/** The relay as a program: `stdio-relay.js PATH`. */
import { relay } from './relay.ts'

const [path] = process.argv.slice(2)
if (path === undefined) {
  process.stderr.write(
    'stdio-relay: it is started by a client under test, with the words of MCP_CONFORMANCE_SERVER_COMMAND\n',
  )
  process.exit(2)
}
relay(path, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal(see) {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => see(name))
  },
  exit: code => process.exit(code),
})
