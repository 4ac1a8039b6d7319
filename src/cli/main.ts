/**
 * The command line. Only commander is loaded to show help; each command loads what it needs, so
 * that hundreds of suite files cost nothing at start.
 */
import { Command, CommanderError } from 'commander'
import { EXIT, packageVersion } from './package.ts'
import { UsageError } from './usage.ts'

const collect = (value: string, earlier: string[]): string[] => [...earlier, value]

const EXIT_HELP = `
Exit codes: 0 conforms, 1 a failure, 2 wrong usage, 3 not reached or nothing judged, 4 our own fault, 130 interrupted.
Without --server and --client the built-in reference server is tested, over stdio and HTTP, as a demonstration.

Examples:
  mcp-conformance --server "node server.js"
  mcp-conformance --server http://127.0.0.1:3000/mcp --start "node server.js"
  mcp-conformance --server "node server.js" --suite lifecycle --report json=out.json
  mcp-conformance --client "node client.js"
  mcp-conformance --client "some-cli --connect {server} list-tools" --transport stdio`

export async function main(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.ok
  const program = new Command('mcp-conformance')
    .description('Finds out whether an MCP implementation does what the specification says.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(mcp-conformance --help shows all options)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'mcp-conformance: ')) })

  program
    .command('run', { isDefault: true })
    .description('test a server or a client (the default command)')
    .option('--server <command or URL>', 'the server under test: a command line for stdio, or an http(s) URL')
    .option('--client <command>', 'the client under test: the command line that starts it, once for each script')
    .option(
      '--transport <http|stdio>',
      'with --client: one transport only (default: HTTP, then stdio if it comes there)',
    )
    .option('--start <command>', 'with a URL: launch this command first and wait until the URL accepts connections')
    .option(
      '--header <header>',
      "with a URL: an HTTP header for every request, 'Name: value' (repeatable)",
      collect,
      [],
    )
    .option('--env <NAME=VALUE>', 'a variable for the environment of the launched command (repeatable)', collect, [])
    .option('--cwd <dir>', 'the working directory of the launched command')
    .option(
      '--spec <revision>',
      'the protocol revision to demand (default: offer 2025-11-25, judge what is negotiated)',
    )
    .option(
      '--suite <glob>',
      "only these suites, such as lifecycle or 'transport-*'; '!' in front excludes (repeatable)",
      collect,
      [],
    )
    .option('--scenario <glob>', 'only these scenarios, by id (repeatable)', collect, [])
    .option('--requirement <glob>', 'only these requirements, by id (repeatable)', collect, [])
    .option(
      '--call-tools <which>',
      'which tools may be called: safe (fixtures and readOnlyHint), fixtures, all, or names with commas between',
      'safe',
    )
    .option(
      '--timeout <ms>',
      'the longest single wait, handshake included (default: 20000 for the handshake, 10000 for an answer; 30000 for one start of a client)',
    )
    .option('--jobs <n>', 'scenarios at a time')
    .option('--seed <n>', 'the seed of generated values', '1')
    .option('--bail', 'stop at the first failure')
    .option('--strict [level]', 'warnings count as failures; --strict=all: untested requirements, too')
    .option(
      '--report <format[=path]>',
      'console, json or junit; given ones replace reports/junit.xml and reports/report.json (repeatable)',
      collect,
      [],
    )
    .option('--quiet', 'no report on the console')
    .addHelpText('after', EXIT_HELP)
    .action(async options => {
      exit = await (await import('./run.ts')).runCommand(options)
    })

  program
    .command('list')
    .description('list all scenarios and monitors')
    .option('--fixtures', 'list what a server can offer so that more of it can be judged')
    .option('--drives', 'list what a client is asked to do, by the names that its driver gets')
    .option('--json', 'as JSON')
    .action(async options => {
      exit = await (await import('./list.ts')).listCommand(options)
    })

  program
    .command('explain')
    .description('say what a requirement asks, where the specification says so, and what checks it')
    .argument('<requirement>', 'a requirement id, such as ping.response.empty-result')
    .option('--json', 'as JSON')
    .option('--spec <revision>', 'the catalogue to read', '2025-11-25')
    .action(async (id: string, options) => {
      exit = await (await import('./explain.ts')).explainCommand(id, options)
    })

  program
    .command('coverage')
    .description('show which requirements are cited by a check and proven by a defect')
    .option('--json', 'as JSON')
    .option('--prove <glob>', 'run the defects of these suites now (repeatable)', collect, [])
    .option('--spec <revision>', 'the catalogue to read', '2025-11-25')
    .action(async options => {
      exit = await (await import('./coverage.ts')).coverageCommand(options)
    })

  // Whoever reads our output may stop reading (`| head`): that is no fault, and the reports are still to be written.
  process.stdout.on('error', () => {})
  for (const command of program.commands) command.exitOverride()
  try {
    await program.parseAsync(argv as string[])
  } catch (problem) {
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
  return exit
}
