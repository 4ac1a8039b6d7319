import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signal } from '../../wire/wait.ts'
import { untampered } from '../outgoing.ts'
import { createClock } from './clock.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { createStdioLink } from './stdio.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** `exitsOn`: the first step that makes the server exit. */
function setUp(exitsOn: string, changes: Partial<ClientPolicies> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const exited = signal<void>()
  const steps: string[] = []
  const seen: string[] = []
  const step = (name: string): void => {
    steps.push(name)
    if (name === exitsOn) exited.resolve()
  }
  stdin.on('finish', () => step('close stdin'))
  const crash = (problem: unknown): void => void seen.push(`crash: ${problem}`)
  const link = createStdioLink(
    { policies: { ...correctClient(), ...changes }, tamper: untampered, clock: createClock(crash), crash },
    { stdin, stdout, stderr, exited: exited.promise, kill: step },
    {
      receive: text => void seen.push(text),
      lost: () => {},
      awaits: () => false,
      expired: () => {},
      down: why => void seen.push(`down: ${why}`),
    },
  )
  return { link, stdin, stdout, stderr, exited, steps, seen }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('a server on stdio', () => {
  test('is read line by line, without blank ones', async () => {
    const { stdout, seen } = setUp('')
    stdout.write('{"a":1}\n\n  \n{"b"')
    stdout.write(':2}\n')
    await turn()
    expect(seen).toEqual(['{"a":1}', '{"b":2}'])
  })
  test('gets each message as a line', async () => {
    const { link, stdin } = setUp('')
    await link.send({ jsonrpc: '2.0', method: 'a' }, undefined)
    expect(String(stdin.read())).toBe('{"jsonrpc":"2.0","method":"a"}\n')
  })
  test('is gone, once, when its output has ended or it has exited', async () => {
    const { stdout, exited, seen } = setUp('')
    stdout.end()
    stdout.resume()
    await turn()
    exited.resolve()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual(['down: the server closed its output'])
  })
  test('may write to stderr; a fault that stumbles over it loses the connection', async () => {
    const correct = setUp('')
    const faulty = setUp('', { failsOnStderr: () => true })
    for (const { stderr } of [correct, faulty]) stderr.write('a warning')
    await turn()
    expect(correct.seen).toEqual([])
    expect(faulty.seen).toEqual(['down: the server wrote to stderr'])
  })
})

describe('the shutdown', () => {
  test.each([
    ['close stdin', ['close stdin']],
    ['SIGTERM', ['close stdin', 'SIGTERM']],
    ['SIGKILL', ['close stdin', 'SIGTERM', 'SIGKILL']],
  ])('stops when the server exits on %s', async (exitsOn, expected) => {
    const { link, steps, stdin } = setUp(exitsOn)
    stdin.resume()
    const closed = link.close()
    await vi.advanceTimersByTimeAsync(6_000)
    await closed
    expect(steps).toEqual(expected)
  })
  test('takes no step for a server that has exited', async () => {
    const { link, steps, exited } = setUp('')
    exited.resolve()
    await turn()
    await link.close()
    expect(steps).toEqual([])
  })
})
