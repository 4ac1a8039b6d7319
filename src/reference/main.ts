/** The reference server as a program of its own: `main.js stdio [revision]`, or `main.js http [port] [revision]`. */
import { factsAbout, isRevision, MAIN_REVISION } from '../spec/revision.ts'
import { untampered } from './outgoing.ts'
import { defaultPolicies } from './policies.ts'
import { runStdio } from './run-stdio.ts'
import { serveEndpointOf } from './servers.ts'

const [mode = 'stdio', ...rest] = process.argv.slice(2)
const { family } = factsAbout(rest.find(isRevision) ?? MAIN_REVISION)
if (mode === 'http') {
  const port = Number(rest.find(text => !isRevision(text)) ?? 0)
  const server = await serveEndpointOf({ family, policies: defaultPolicies(), tamper: untampered }, port)
  process.stderr.write(`listening at ${server.url}\n`)
  process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
} else {
  runStdio({ family })
}
