/** Correct: a client that is told its server by flags (--url, --config, --start), as command-line hosts are. */
import { readFileSync } from 'node:fs'
import { runHere } from '../client/run-here.ts'

const [flag, ...rest] = process.argv.slice(2)
const words = (server: string[]): { env: Record<string, string> } => ({
  env: { MCP_CONFORMANCE_SERVER_COMMAND: JSON.stringify(server) },
})

function given(): { args?: string[]; env?: Record<string, string> } {
  if (flag === '--url') return { args: rest }
  if (flag === '--start') return words(rest)
  const { conformance } = JSON.parse(readFileSync(rest[0] ?? '', 'utf8')).mcpServers
  return conformance.url === undefined ? words([conformance.command, ...conformance.args]) : { args: [conformance.url] }
}

process.exitCode = await runHere(given())
