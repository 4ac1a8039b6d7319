import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import type { Report } from '../report/report.ts'
import { memoryOf, root } from './run-program.ts'

/** Targets that hang, flood or die. The run must end, say in one sentence what happened, and leave nothing behind. */
/** Other tests may run the same programs at this moment. */
const OURS = `hostile-${process.pid}`
const program = join(root, 'bin/mcp-conformance.js')
const schema = JSON.parse(readFileSync(join(root, 'schema/report.schema.json'), 'utf8'))
const validate = new Ajv2020().compile(schema)

const MAX_MEMORY_KB = 300 * 1024
/** Enough scenarios to meet the fault, few enough to keep the table quick. */
const SUITES = ['--suite', 'ping', '--suite', 'monitors']

interface Ran {
  code: number | null
  out: string
  report: Report
  junit: string
  peakKb: number
  left: string[]
}

/**
 * How long a single wait may last. Where the target answers, a verdict must not hang on the clock: a process that starts
 * on a busy machine gets all the time it needs. Where it never does, the wait is the test, and short.
 */
const AMPLE = 10_000
const BRIEF = 1_000

/** Runs the tool; `mark` stands in the command line of everything that the target starts. */
async function run(args: string[], mark: string, timeout: number = AMPLE, suites = SUITES): Promise<Ran> {
  const dir = mkdtempSync(join(tmpdir(), 'mcp-hostile-'))
  const child = spawn(process.execPath, [program, ...args, ...suites, '--timeout', String(timeout)], {
    cwd: dir,
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  let peakKb = 0
  const sample = setInterval(() => {
    peakKb = Math.max(peakKb, memoryOf(child.pid))
  }, 25)
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  clearInterval(sample)
  const report = JSON.parse(readFileSync(join(dir, 'reports/report.json'), 'utf8'))
  const junit = readFileSync(join(dir, 'reports/junit.xml'), 'utf8')
  return { code, out, report, junit, peakKb, left: await running(mark) }
}

function running(mark: string): Promise<string[]> {
  return new Promise(resolve => {
    const search = spawn('pgrep', ['-af', mark])
    let found = ''
    search.stdout.on('data', chunk => {
      found += chunk
    })
    search.once('close', () => resolve(found.split('\n').filter(line => line !== '' && !line.includes('pgrep'))))
  })
}

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.closeAllConnections()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function sound(ran: Ran): void {
  validate(ran.report)
  expect(validate.errors ?? []).toEqual([])
  expect(ran.junit).toMatch(/^<\?xml/)
  expect(ran.peakKb).toBeLessThan(MAX_MEMORY_KB)
  expect(ran.left).toEqual([])
  expect(ran.report.summary.error).toBe(0)
}

describe.concurrent('over stdio', () => {
  /** Its answers come after six seconds: long enough for the handshake, which is not late, and too late for everything else. */
  const LATE = { timeout: 4_000, suites: ['--scenario', 'server/ping/answers'] }
  /** How long an exit may take is a wait that the fault uses up. */
  const AT_ITS_END = { timeout: 4_000, suites: ['--scenario', 'server/lifecycle/exits-on-eof'] }
  test.each<[string, number, RegExp, { timeout: number; suites?: string[] }?]>([
    ['floods-without-newline', 1, /framing.newline-delimited/],
    ['sends-a-gigabyte', 0, /ping/],
    ['prints-a-banner', 1, /transport-stdio.stdout.only-messages/],
    ['closes-stdout', 1, /it closed its stdout/],
    ['ignores-signals', 0, /it lives on, also after SIGTERM/, AT_ITS_END],
    ['leaves-a-child', 0, /observable requirements judged/],
    ['exits-between-requests', 1, /exited with code 3/],
    ['answers-late', 1, /no answer/, LATE],
    ['waits-for-headers', 3, /answers only messages with Content-Length headers/, { timeout: 4_000 }],
    ['answers-twice', 1, /base.response.one-per-request/],
    ['drips', 3, /wrote something else but no answer|did not answer initialize/, { timeout: BRIEF }],
  ])('%s', async (name, code, sentence, limits) => {
    const ran = await run(
      ['--server', `node ${join(root, `dist/src/reference/faulty/${name}.js`)} ${OURS}`],
      `reference/faulty/${name}.js ${OURS}`,
      limits?.timeout,
      limits?.suites,
    )
    expect([ran.code, sentence.test(ran.out)], ran.out).toEqual([code, true])
    sound(ran)
  })
})

describe.concurrent('over HTTP', () => {
  const sse = { 'Content-Type': 'text/event-stream' }
  test.each([
    [
      'redirects',
      (_request, response) => void response.writeHead(308, { Location: '/other' }).end(),
      3,
      /redirects \(HTTP 308\)/,
    ],
    [
      'answers 401',
      (_request, response) => void response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end(),
      3,
      /wants authorization/,
    ],
    [
      'ends no stream',
      (_request, response) => void response.writeHead(200, sse).flushHeaders(),
      3,
      /did not answer initialize within 1000 ms/,
      BRIEF,
    ],
    [
      'drips a byte now and then',
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const timer = setInterval(() => response.write(' '), 100)
        response.once('close', () => clearInterval(timer))
      },
      3,
      /did not answer initialize within 1000 ms/,
      BRIEF,
    ],
    [
      'sends without end',
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const chunk = 'x'.repeat(64 * 1024)
        const flood = (): void => {
          while (!response.destroyed && response.write(chunk)) {
            // As long as the socket takes it.
          }
        }
        response.on('drain', flood)
        flood()
      },
      3,
      /more than 16777216 bytes came/,
    ],
    ['cuts every connection', request => void request.socket.destroy(), 3, /ended before it answered initialize/],
  ] as [string, RequestListener, number, RegExp, number?][])('%s', async (name, listener, code, sentence, timeout) => {
    const url = await serve(listener)
    const ran = await run(['--server', url], `no-process-for-${name}`, timeout)
    expect([ran.code, sentence.test(ran.out)], ran.out).toEqual([code, true])
    sound(ran)
  })
})
