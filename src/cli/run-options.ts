/** The options of the run, in the order in which help shows them. */
import type { Command } from 'commander'

/** For options that may be given several times. */
export const collect = (value: string, earlier: string[]): string[] => [...earlier, value]

export const withRunOptions = (command: Command): Command => withLimitsAndReports(withSelection(withTarget(command)))

const withTarget = (command: Command): Command =>
  command
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

const withSelection = (command: Command): Command =>
  command
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

const withLimitsAndReports = (command: Command): Command =>
  command
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
