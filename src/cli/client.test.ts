import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRunning, root, run } from './run-program.ts'

/** The command line with a client under test. */
const reference = `node ${join(root, 'dist/src/reference/client/main.js')}`
const faulty = (name: string): string => `node ${join(root, `dist/src/reference/faulty/${name}.js`)}`
/** One start of the client is enough for what is asked here. */
const ONE = ['--scenario', 'client/lifecycle/opens']

describe.concurrent('the reference client', () => {
  test('is tested over both transports when none is named, and passes', async () => {
    const ran = await run(['--client', reference, ...ONE])
    expect(ran.code, ran.out).toBe(0)
    expect(ran.report().targets.map(({ role, via, name }) => [role, via, name])).toEqual([
      ['client', 'http', 'mcp-conformance-reference-client'],
      ['client', 'stdio', 'mcp-conformance-reference-client'],
    ])
  })

  test.each(['http', 'stdio'])('over %s is tested in the revision without sessions, and passes', async transport => {
    const only = ['--scenario', 'client/tools/modern-call']
    const ran = await run(['--client', reference, '--transport', transport, '--spec', '2026-07-28', ...only])
    expect(ran.code, ran.out).toBe(0)
    expect(ran.report().targets.map(({ name, protocolVersion }) => [name, protocolVersion])).toEqual([
      ['mcp-conformance-reference-client', '2026-07-28'],
    ])
    expect(ran.report().summary.pass).toBeGreaterThan(0)
  })

  test('takes the server in place of {url}, {server} and {config}', async () => {
    const ways = ['--url {url}', '--config {config}', '--start {server}'].map(async words => {
      const ran = await run(['--client', `${faulty('client-takes-flags')} ${words}`, ...ONE])
      expect([words, ran.code, ran.report().summary.fail], ran.out).toEqual([words, 0, 0])
    })
    await Promise.all(ways)
  })
})

describe.concurrent('clients that do not do what they should', () => {
  test.each(['http', 'stdio'])('over %s one that does nothing is never green', async transport => {
    const ran = await run(['--client', 'true', '--transport', transport])
    expect(ran.code).toBe(3)
    expect(ran.out).toMatch(/true never came to our server \(it exited with code 0\)/)
    expect(ran.out).toMatch(/Nothing was judged/)
    expect(ran.report().summary).toMatchObject({ pass: 0, fail: 0, error: 0 })
  })

  test.each(['http', 'stdio'])('over %s one that opens with a wrong message is judged', async transport => {
    const ran = await run(['--client', faulty('client-lists-first'), '--transport', transport, ...ONE])
    expect(ran.code, ran.out).toBe(1)
    expect(
      ran.report().results.find(one => one.requirement === 'lifecycle.init.client-sends-initialize')?.verdict,
    ).toBe('fail')
  })

  test.each(['http', 'stdio'])('over %s one that sleeps for ever is ended', async transport => {
    const mark = `sleeps-${transport}-${process.pid}`
    const ran = await run([
      '--client',
      `${faulty('client-sleeps')} ${mark}`,
      '--transport',
      transport,
      '--timeout',
      '2000',
    ])
    expect(ran.code).toBe(3)
    expect(ran.out).toMatch(/it was still running when its time was over/)
    // It ignores SIGTERM: one start of 2 s and two signals, far from the 30 s that are usual.
    expect(ran.report().durationMs).toBeLessThan(15_000)
    expect(isRunning(mark)).toBe(false)
  })

  test('one that cannot be started is named', async () => {
    const ran = await run(['--client', 'no-such-command-here', '--transport', 'http'])
    expect(ran.code).toBe(3)
    expect(ran.out).toMatch(/cannot be started: there is no command "no-such-command-here"/)
  })

  test('one that claims to have done what does not exist is noted', async () => {
    const ran = await run(['--client', faulty('client-says-yes'), '--transport', 'http', ...ONE])
    expect(ran.out).toMatch(/a driver should say so with exit code 127/)
  })

  test.each(['http', 'stdio'])('over %s one that floods us is bounded', async transport => {
    const ran = await run(['--client', faulty('client-floods'), '--transport', transport, '--timeout', '4000', ...ONE])
    expect([ran.code, ran.report().summary.error], ran.out).toEqual([0, 0])
    expect(ran.peakKb()).toBeLessThan(300 * 1024)
  })

  test('is interrupted by Ctrl-C with reports written and nothing left running', async () => {
    const mark = `mark-${process.pid}-client`
    const ran = await run(['--client', `${faulty('client-sleeps')} ${mark}`, '--transport', 'http'], kill => {
      const timer = setInterval(() => {
        if (!isRunning(`${mark} http`)) return
        clearInterval(timer)
        kill('SIGINT')
      }, 20)
    })
    expect(ran.code, ran.err).toBe(130)
    expect(ran.report().interrupted).toBe(true)
    expect(isRunning(mark)).toBe(false)
  })
})

describe.concurrent('bad input gets one sentence and exit code 2', () => {
  test.each([
    [['--client', ''], /--client is empty/],
    [['--client', 'x', '--server', 'y'], /--server is about a server/],
    [['--client', 'x', '--start', 'y'], /--start is about a server/],
    [['--client', 'x', '--header', 'A: b'], /--header is about a server/],
    [['--client', 'x', '--transport', 'pigeon'], /--transport pigeon is unknown/],
    [['--client', 'x {server}', '--transport', 'http'], /\{server\} stands for a command line over stdio/],
    [['--client', 'x {url}', '--transport', 'stdio'], /\{url\} stands for an HTTP endpoint/],
    [['--transport', 'http'], /--transport goes with --client/],
    [['--client', 'x', '--transport', 'http', '--spec', '2024-11-05'], /HTTP\+SSE, which cannot be tested yet/],
    [['--client', 'x', '--cwd', '/no/such/folder'], /is no directory/],
  ])('%j', async (args, sentence) => {
    const ran = await run(args)
    expect([ran.code, ran.err.match(sentence)?.length], ran.err).toEqual([2, 1])
  })
})
