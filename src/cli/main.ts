/**
 * The command line. Only commander is loaded to show help; each command loads what it needs, so
 * that hundreds of suite files cost nothing at start.
 */
import { Command, CommanderError } from 'commander'
import { EXIT, packageVersion } from './package.ts'
import { collect, withRunOptions } from './run-options.ts'
import { UsageError } from './usage.ts'

const EXIT_HELP = `
Exit codes: 0 conforms, 1 a failure, 2 wrong usage, 3 not reached or nothing judged, 4 our own fault, 130 interrupted.
Without --server and --client the built-in reference server is tested, over stdio and HTTP, as a demonstration.

Examples:
  mcp-conformance --server "node server.js"
  mcp-conformance --server http://127.0.0.1:3000/mcp --start "node server.js"
  mcp-conformance --server "node server.js" --suite lifecycle --report json=out.json
  mcp-conformance --client "node client.js"
  mcp-conformance --client "some-cli --connect {server} list-tools" --transport stdio`

/** The exit code of the command that ran. */
type Done = (code: number) => void

function addRun(program: Command, done: Done): void {
  withRunOptions(
    program.command('run', { isDefault: true }).description('test a server or a client (the default command)'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async options => {
      done(await (await import('./run.ts')).runCommand(options))
    })
}

function addList(program: Command, done: Done): void {
  program
    .command('list')
    .description('list all scenarios and monitors')
    .option('--fixtures', 'list what a server can offer so that more of it can be judged')
    .option('--drives', 'list what a client is asked to do, by the names that its driver gets')
    .option('--json', 'as JSON')
    .action(async options => {
      done(await (await import('./list.ts')).listCommand(options))
    })
}

function addExplain(program: Command, done: Done): void {
  program
    .command('explain')
    .description('say what a requirement asks, where the specification says so, and what checks it')
    .argument('<requirement>', 'a requirement id, such as ping.response.empty-result')
    .option('--json', 'as JSON')
    .option('--spec <revision>', 'the catalogue to read', '2025-11-25')
    .action(async (id: string, options) => {
      done(await (await import('./explain.ts')).explainCommand(id, options))
    })
}

function addCoverage(program: Command, done: Done): void {
  program
    .command('coverage')
    .description('show which requirements are cited by a check and proven by a defect')
    .option('--json', 'as JSON')
    .option('--prove <glob>', 'run the defects of these suites now (repeatable)', collect, [])
    .option('--spec <revision>', 'the catalogue to read', '2025-11-25')
    .action(async options => {
      done(await (await import('./coverage.ts')).coverageCommand(options))
    })
}

export async function main(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.ok
  const program = new Command('mcp-conformance')
    .description('Finds out whether an MCP implementation does what the specification says.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(mcp-conformance --help shows all options)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'mcp-conformance: ')) })
  for (const add of [addRun, addList, addExplain, addCoverage])
    add(program, code => {
      exit = code
    })
  for (const command of program.commands) command.exitOverride()

  // Whoever reads our output may stop reading (`| head`): that is no fault, and the reports are still to be written.
  process.stdout.on('error', () => {})
  try {
    await program.parseAsync(argv as string[])
  } catch (problem) {
    return exitFor(problem)
  }
  return exit
}

/** What a command throws ends as an exit code, and says why. */
function exitFor(problem: unknown): number {
  if (problem instanceof CommanderError) return problem.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (problem instanceof UsageError) {
    process.stderr.write(`mcp-conformance: ${problem.message}\n`)
    return EXIT.usage
  }
  process.stderr.write(
    `mcp-conformance: harness error, please report it\n${problem instanceof Error ? problem.stack : String(problem)}\n`,
  )
  return EXIT.harness
}
