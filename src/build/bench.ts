/**
 * `npm run bench`: what a run costs. Each command runs several times; medians are what to quote.
 * `npm run bench -- --server "node server.js"` or `--client "node client.js"` measures what is yours instead of the
 * reference; `--beside "command"` behind it times another tool with it on the same machine.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const RUNS = 5
const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'bin/mcp-conformance.js')
const reference = join(root, 'dist/src/reference/main.js')
const client = join(root, 'dist/src/reference/client/main.js')
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'))

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

function time(args: string[]): number {
  const began = performance.now()
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  return performance.now() - began
}

function measure(name: string, args: string[]): void {
  const walls: number[] = []
  const cpus: number[] = []
  let starts = 0
  let results = 0
  let judged = 0
  for (let run = 0; run < RUNS; run += 1) {
    walls.push(time([program, ...args, '--quiet', '--report', 'json=report.json']))
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
    cpus.push(report.cost.cpuMs)
    starts = report.cost.processStarts
    results = report.results.length
    judged = results - report.summary.skip - report.summary.untested - report.summary.error
  }
  const [wall, cpu] = [median(walls), median(cpus)].map(ms => (ms / 1000).toFixed(2))
  console.log(
    `${name.padEnd(28)} wall ${wall} s   our CPU ${cpu} s   process starts ${starts}   claims ${results}, judged ${judged}`,
  )
}

/** The validators of the wire are compiled when first needed: what the ones of an ordinary run cost. */
function measureSchemas(): void {
  const schemas = pathToFileURL(join(root, 'dist/src/spec/schemas.js')).href
  const code = `
    const { definitionOf, matches } = await import('${schemas}')
    const began = process.cpuUsage()
    for (const method of ['initialize', 'ping', ${LISTED.map(method => `'${method}'`).join(', ')}])
      matches('2025-11-25', definitionOf('2025-11-25', 'client', method, 'result'), {})
    const { user, system } = process.cpuUsage(began)
    process.stdout.write(String((user + system) / 1000))`
  const costs = Array.from({ length: RUNS }, () =>
    Number(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout),
  )
  console.log(
    `${'schemas of such a run'.padEnd(28)} our CPU ${(median(costs) / 1000).toFixed(2)} s, nothing at start-up`,
  )
}

const LISTED = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]

/** Another tool, by its command line: only its time can be seen from here. */
function beside(command: string): void {
  const walls = Array.from({ length: RUNS }, () => {
    const began = performance.now()
    spawnSync(command, { cwd: folder, stdio: 'ignore', shell: true })
    return performance.now() - began
  })
  console.log(`${'beside it'.padEnd(28)} wall ${(median(walls) / 1000).toFixed(2)} s   ${command}`)
}

const words = process.argv.slice(2)
const flag = words.indexOf('--beside')
const own = flag === -1 ? words : [...words.slice(0, flag), ...words.slice(flag + 2)]
if (own.length > 0) {
  measure(own.includes('--client') ? 'your client' : 'your server', own)
  const other = flag === -1 ? undefined : words[flag + 1]
  if (other !== undefined) beside(other)
} else {
  const bare = median(Array.from({ length: RUNS }, () => time(['-e', '0'])))
  const help = median(Array.from({ length: RUNS }, () => time([program, '--help'])))
  console.log(
    `${'--help'.padEnd(28)} wall ${(help / 1000).toFixed(2)} s   ${(help / bare).toFixed(1)} times a bare start of Node`,
  )
  measure('reference over stdio', ['--server', `node ${reference} stdio`])
  measure('reference, both transports', [])
  measure('reference client', ['--client', `node ${client}`])
  measureSchemas()
}
