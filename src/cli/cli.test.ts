import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isRunning, root, run } from './run-program.ts'

const reference = join(root, 'dist/src/reference/main.js')
const faulty = (name: string): string => `node ${join(root, `dist/src/reference/faulty/${name}.js`)}`

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return urlOf(server)
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`

/** Where nobody listens any more. */
async function deserted(): Promise<string> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = urlOf(server)
  await new Promise(resolve => server.close(resolve))
  return url
}

/** The one whole run of all suites: what takes most of a minute alone may take many beside other work. */
const FULL_RUN_MS = 900_000

describe.concurrent('a run', () => {
  test('without a target tests the reference over both transports and writes the reports', {
    timeout: FULL_RUN_MS,
  }, async () => {
    const ran = await run([])
    expect(ran.code, ran.out).toBe(0)
    expect(ran.report().targets.map(target => target.via)).toEqual(['stdio', 'http'])
    expect(ran.report().summary.fail).toBe(0)
    for (const name of ['junit.xml', 'report.json', 'report.wire.jsonl'])
      expect(existsSync(join(ran.dir, 'reports', name))).toBe(true)
  })

  test('without a target and with --spec of a revision without sessions tests the reference of that family', async () => {
    const ran = await run(['--spec', '2026-07-28', '--suite', 'discover'])
    expect(ran.code, ran.out).toBe(0)
    expect(ran.report().targets.map(target => [target.via, target.protocolVersion])).toEqual([
      ['stdio', '2026-07-28'],
      ['http', '2026-07-28'],
    ])
    expect(ran.out).toContain('Revision 2026-07-28 is judged in part')
  })

  test('finds a fault, names requirement, page and the command that repeats it, and exits 1', async () => {
    const ran = await run(['--server', faulty('latin1-output'), '--suite', 'monitors', '--suite', 'ping'])
    expect(ran.code).toBe(1)
    // One observation that breaks two requirements is one cause.
    expect(ran.out).toContain('✗ base.jsonrpc.utf8  MUST')
    expect(ran.out).toContain('breaks    transport-stdio.encoding.utf8, too')
    expect(ran.out).toContain('https://modelcontextprotocol.io/specification/2025-11-25/basic/transports')
    expect(ran.out).toMatch(/repeat {4}mcp-conformance --server .*latin1-output\.js" --scenario \S+/)
    expect(
      ran
        .report()
        .results.filter(result => result.verdict === 'fail')
        .every(result => result.confirmed),
    ).toBe(true)
  })

  test('gives the same verdicts twice', async () => {
    const verdicts = async (): Promise<string[]> =>
      (await run(['--server', faulty('exits-on-malformed'), '--suite', 'base', '--suite', 'ping', '--jobs', '2']))
        .report()
        .results.map(one => `${one.scenario} ${one.claim} ${one.verdict}`)
    const [first, second] = await Promise.all([verdicts(), verdicts()])
    expect(first).toContain('server/base/malformed-json code warn')
    expect(second).toEqual(first)
  })

  test('starts a server for its URL, gives it its environment, and ends it', async () => {
    const free = new URL(await deserted()).port
    const ran = await run([
      '--server',
      `http://127.0.0.1:${free}/mcp`,
      '--start',
      `node ${reference} http ${free}`,
      '--suite',
      'ping',
    ])
    expect(ran.code, ran.out).toBe(0)
    expect(isRunning(`main.js http ${free}`)).toBe(false)
  })

  test('selects by suite, scenario and requirement', async () => {
    const ran = await run(['--server', `node ${reference} stdio`, '--requirement', 'ping.response.*', '--quiet'])
    expect(ran.out).toBe('')
    expect(new Set(ran.report().results.map(result => result.requirement))).toEqual(
      new Set(['ping.response.empty-result', 'ping.response.prompt']),
    )
  })

  test('--bail stops behind the first failure, also of a monitor', async () => {
    const ran = await run(['--server', faulty('prints-a-banner'), '--bail', '--jobs', '1'])
    expect(ran.code).toBe(1)
    expect(ran.report().results.filter(result => result.message.startsWith('--bail')).length).toBeGreaterThan(20)
  })

  test('--strict makes warnings count', async () => {
    const args = [
      '--server',
      faulty('stays-after-eof'),
      '--scenario',
      'server/lifecycle/exits-on-eof',
      '--timeout',
      '4000',
    ]
    const ran = await Promise.all([run(args), run([...args, '--strict'])])
    expect(ran.map(({ code }) => code)).toEqual([0, 1])
  })

  test('is interrupted by Ctrl-C with reports written and nothing left running', async () => {
    const mark = `mark-${process.pid}-interrupt`
    const ran = await run(['--server', `node ${reference} stdio ${mark}`, '--jobs', '1'], kill => {
      const timer = setInterval(() => {
        if (!isRunning(`${mark}$`)) return
        clearInterval(timer)
        kill('SIGINT')
      }, 20)
    })
    expect(ran.code, ran.err).toBe(130)
    expect(ran.report().interrupted).toBe(true)
    expect(existsSync(join(ran.dir, 'reports/junit.xml'))).toBe(true)
    expect(isRunning(`${mark}$`)).toBe(false)
  })
})

describe.concurrent('bad input gets one sentence and the right exit code', () => {
  test.each([
    [['--nonsense'], 2, /unknown option '--nonsense'/],
    [['--servre', 'x'], 2, /Did you mean --server\?/],
    [['--suite', 'lifecicle'], 2, /--suite lifecicle matches nothing; did you mean lifecycle\?/],
    [['--scenario', 'server/ping/answer'], 2, /did you mean server\/ping\/answers\?/],
    [['--requirement', 'ping.response.empty'], 2, /--requirement ping.response.empty matches nothing/],
    [['--server', ''], 2, /--server is empty/],
    [['--server', 'http://[bad'], 2, /no valid URL/],
    [['--server', 'x', '--timeout', 'soon'], 2, /--timeout takes a whole number/],
    [['--server', 'x', '--cwd', '/no/such/folder'], 2, /--cwd \/no\/such\/folder is no directory/],
    [['--server', 'x', '--start', 'y'], 2, /--start goes with a URL/],
    [['--server', 'x', '--spec', '2025-01-01'], 2, /no protocol revision/],
    [['--server', 'http://127.0.0.1:1/mcp', '--spec', '2024-11-05'], 2, /HTTP\+SSE, which cannot be tested yet/],
    [['--server', 'x', '--report', 'pdf'], 2, /--report pdf is unknown/],
    [['--start', 'x'], 2, /no --server is given/],
    [['explain', 'ping.respons.prompt'], 2, /did you mean ping.response.prompt\?/],
    [['coverage', '--prove', 'no/such'], 2, /matches no suite/],
  ])('%j', async (args, code, sentence) => {
    const ran = await run(args)
    expect([ran.code, ran.err.match(sentence)?.length]).toEqual([code, 1])
  })

  test.each([
    ['a command that does not exist', 'no-such-command-here', /there is no command "no-such-command-here"/],
    [
      'a command that exits at once',
      'node -e process.exit(7)',
      /ended before it answered initialize: it exited with code 7/,
    ],
    ['a target that never answers', 'node -e setInterval(()=>{},1e3)', /did not answer initialize within 3000 ms/],
    [
      'a program that speaks something else',
      `node -e "console.log('hello');setInterval(()=>{},1e3)"`,
      /wrote something else but no answer to initialize/,
    ],
  ])('%s', async (_name, server, sentence) => {
    const ran = await run(['--server', server, '--timeout', '3000'])
    expect([ran.code, ran.out.match(sentence)?.length], ran.out).toEqual([server.includes('hello') ? 1 : 3, 1])
    expect(ran.report().summary.untested).toBeGreaterThan(10)
    expect(existsSync(join(ran.dir, 'reports/junit.xml'))).toBe(true)
  })

  test.each([
    ['refuses', undefined, /cannot be reached \(ECONNREFUSED\)/],
    [
      'answers HTML',
      (_: unknown, response: { setHeader(n: string, v: string): void; end(t: string): void }) => {
        response.setHeader('Content-Type', 'text/html')
        response.end('<h1>hello</h1>')
      },
      /answers initialize with HTTP 200 and text\/html/,
    ],
    [
      'wants authorization',
      (_: unknown, response: { statusCode: number; end(): void }) => {
        response.statusCode = 401
        response.end()
      },
      /wants authorization \(HTTP 401\)/,
    ],
    [
      'redirects',
      (_: unknown, response: { statusCode: number; setHeader(n: string, v: string): void; end(): void }) => {
        response.statusCode = 307
        response.setHeader('Location', '/elsewhere')
        response.end()
      },
      /redirects \(HTTP 307\)/,
    ],
  ] as const)('a URL that %s', async (_name, listener, sentence) => {
    const url = listener === undefined ? await deserted() : await serve(listener as never)
    const ran = await run(['--server', url, '--timeout', '2000'])
    expect([ran.code, ran.out.match(sentence)?.length], ran.out).toEqual([3, 1])
    expect(existsSync(join(ran.dir, 'reports/junit.xml'))).toBe(true)
  })

  test('an explicit revision that the target refuses', async () => {
    const ran = await run(['--server', faulty('speaks-2024-only'), '--spec', '2025-11-25'])
    expect(ran.code).toBe(3)
    expect(ran.out).toMatch(/was offered 2025-11-25 as --spec demands and answered 2024-11-05/)
  })
})

describe.concurrent('the other commands', () => {
  test('list --json has the promised form', async () => {
    const { scenarios } = JSON.parse((await run(['list', '--json'])).out)
    expect(scenarios.find((one: { id: string }) => one.id === 'server/ping/answers')).toEqual({
      id: 'server/ping/answers',
      title: 'A ping is answered with an empty result',
      role: 'server',
      via: ['stdio', 'http'],
      requirements: ['ping.initiate.either-side', 'ping.response.empty-result', 'ping.response.prompt'],
    })
  })

  test('explain says what is asked, where, and by what it is checked', async () => {
    const { out } = await run(['explain', 'ping.response.empty-result'])
    expect(out).toContain('The answer to a ping is an empty result.')
    expect(out).toContain('specification/2025-11-25/basic/utilities/ping#behavior-requirements')
    expect(out).toContain('server/ping/answers  claim empty')
  })

  test('coverage --prove runs defects live and counts what they proved', async () => {
    const { code, out } = await run(['coverage', '--prove', 'server/ping/answers', '--json'])
    expect(code).toBe(0)
    const { areas, proofs } = JSON.parse(out)
    expect(proofs.live).toEqual(['server/ping/answers'])
    expect(
      areas.find((one: { area: string; role: string }) => one.area === 'ping' && one.role === 'server').proven,
    ).toBeGreaterThan(0)
  })
})
