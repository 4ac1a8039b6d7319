/**
 * `npm run bench`: what a run costs. Each command runs several times; medians are what to quote.
 * `npm run bench -- --server "node server.js"` or `--client "node client.js"` measures what is yours instead of the
 * reference; `--beside "command"` behind it measures another tool with it on the same machine, run by run. Where the
 * target is a URL with `--start`, that server is started for the other tool, too, and its requests are counted: write
 * the same URL into the command. `--runs N` says how often.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BesideCost, type BesideServer, runBeside } from './bench/run-beside.ts'
import { type Cost, runToEnd, runTool, type Yield } from './bench/run-tool.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'bin/mcp-conformance.js')
const reference = join(root, 'dist/src/reference/main.js')
const client = join(root, 'dist/src/reference/client/main.js')
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'))

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

async function measure(name: string, args: string[], runs: number, other?: () => Promise<BesideCost>): Promise<void> {
  const costs: (Cost & Yield)[] = []
  const others: BesideCost[] = []
  for (let run = 0; run < runs; run += 1) {
    costs.push(await runTool(program, args, folder))
    if (other !== undefined) others.push(await other())
  }
  const of = (key: keyof (Cost & Yield)): number => median(costs.map(cost => cost[key]))
  console.log(
    [
      name.padEnd(28),
      `wall ${seconds(of('wallMs'))}`,
      `our CPU ${seconds(of('ownMs'))}`,
      `target's CPU ${seconds(of('targetMs'))}`,
      `process starts ${of('starts')}`,
      `sessions ${of('sessions')}`,
      `requests ${of('requests')} (${Math.round((of('requests') * 1000) / of('wallMs'))} a second)`,
      `claims ${of('claims')}, judged ${of('judged')}`,
    ].join('   '),
  )
  if (others.length > 0) showBeside(others)
}

function showBeside(others: readonly BesideCost[]): void {
  const of = (key: keyof BesideCost): number => median(others.map(cost => cost[key]))
  const counted =
    of('requests') === 0
      ? []
      : [
          `target's CPU ${seconds(of('targetMs'))}`,
          `requests ${of('requests')} (${Math.round((of('requests') * 1000) / of('wallMs'))} a second)`,
        ]
  console.log(
    ['beside it'.padEnd(28), `wall ${seconds(of('wallMs'))}`, `its CPU ${seconds(of('ownMs'))}`, ...counted].join(
      '   ',
    ),
  )
}

/** The validators of the wire are compiled when first needed: what the ones of an ordinary run cost. */
function measureSchemas(runs: number): void {
  const schemas = pathToFileURL(join(root, 'dist/src/spec/schemas.js')).href
  const code = `
    const { definitionOf, matches } = await import('${schemas}')
    const began = process.cpuUsage()
    for (const method of ['initialize', 'ping', ${LISTED.map(method => `'${method}'`).join(', ')}])
      matches('2025-11-25', definitionOf('2025-11-25', 'client', method, 'result'), {})
    const { user, system } = process.cpuUsage(began)
    process.stdout.write(String((user + system) / 1000))`
  const costs = Array.from({ length: runs }, () =>
    Number(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout),
  )
  console.log(`${'schemas of such a run'.padEnd(28)} our CPU ${seconds(median(costs))}, nothing at start-up`)
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

async function measureReference(runs: number): Promise<void> {
  const bare: number[] = []
  const help: number[] = []
  for (let run = 0; run < runs; run += 1) {
    bare.push(await runToEnd(process.execPath, ['-e', '0'], folder))
    help.push(await runToEnd(process.execPath, [program, '--help'], folder))
  }
  const times = (median(help) / median(bare)).toFixed(1)
  console.log(`${'--help'.padEnd(28)} wall ${seconds(median(help))}   ${times} times a bare start of Node`)
  await measure('reference over stdio', ['--server', `node ${reference} stdio`], runs)
  await measure('reference, both transports', [], runs)
  await measure('reference client', ['--client', `node ${client}`], runs)
  measureSchemas(runs)
}

/** Takes an option of the bench itself out of the words; the rest is for the tool. */
function takeOption(words: string[], name: string): string | undefined {
  const at = words.indexOf(name)
  return at === -1 ? undefined : words.splice(at, 2)[1]
}

const optionIn = (words: readonly string[], name: string): string | undefined =>
  words.includes(name) ? words[words.indexOf(name) + 1] : undefined

function serverOf(words: readonly string[]): BesideServer | undefined {
  const url = optionIn(words, '--server')
  const start = optionIn(words, '--start')
  if (url === undefined || start === undefined) return undefined
  const pairs = words.flatMap((word, index) => (words[index - 1] === '--env' ? [word.split(/=(.*)/s).slice(0, 2)] : []))
  return { url, start, env: Object.fromEntries(pairs) as Record<string, string> }
}

const words = process.argv.slice(2)
const other = takeOption(words, '--beside')
const runs = Number(takeOption(words, '--runs') ?? 5)
if (words.length === 0) await measureReference(runs)
else {
  const server = serverOf(words)
  const beside = other === undefined ? undefined : () => runBeside(other, server, folder)
  await measure(words.includes('--client') ? 'your client' : 'your server', words, runs, beside)
}
