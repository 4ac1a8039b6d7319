import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import { createCorrelator, type Handler } from './correlator.ts'

const frame = (json: Json | undefined, more: Partial<MessageFrame> = {}): MessageFrame => ({
  seq: 1,
  at: 0,
  channel: 'mcp',
  session: 's1',
  kind: 'message',
  from: 'them',
  text: JSON.stringify(json) ?? '',
  ...(json === undefined ? {} : { json }),
  ...more,
})

interface Bench {
  responses: [Json, unknown][]
  correlator: ReturnType<typeof createCorrelator>
  /** which of the awaited ids were answered, in order */
  settled: Json[]
  expect(id: string | number, match?: 'exact'): () => void
}

function bench(handlers: Record<string, Handler> = {}): Bench {
  const responses: [Json, unknown][] = []
  const settled: Json[] = []
  const correlator = createCorrelator(
    (id, answer) => responses.push([id, answer]),
    method => handlers[method],
  )
  return {
    responses,
    correlator,
    settled,
    expect: (id, match) => correlator.expect(id, () => settled.push(id), match),
  }
}

/** Handlers may be asynchronous: what they answer comes a little later. */
const soon = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const result = (id: Json | undefined): JsonObject => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  result: {},
})

describe('an answer finds its request', () => {
  test('by its id, once', () => {
    const { correlator, settled, expect: wait } = bench()
    wait(1)
    wait('1')
    correlator.receive(frame(result('1')))
    correlator.receive(frame(result('1')))
    expect(settled[0]).toBe('1')
    // The second one is loose for the other request: surely meant for it, and surely wrong.
    expect(settled).toEqual(['1', 1])
  })

  test('with a converted id, but not where the exact one is wanted', () => {
    const { correlator, settled, expect: wait } = bench()
    wait(7, 'exact')
    correlator.receive(frame(result('7')))
    expect(settled).toEqual([])
    wait(8)
    correlator.receive(frame(result('8')))
    expect(settled).toEqual([8])
  })

  test('without an id where only one request can be meant', () => {
    const { correlator, settled, expect: wait } = bench()
    const forget = wait(1)
    wait(2)
    correlator.receive(frame(result(null)))
    expect(settled).toEqual([])
    forget()
    correlator.receive(frame(result(undefined)))
    expect(settled).toEqual([2])
  })

  test('inside of a batch, and in bytes that are no UTF-8', () => {
    const { correlator, settled, expect: wait } = bench()
    wait(1)
    wait(2)
    correlator.receive(frame([result(1)]))
    correlator.receive(frame(undefined, { flaw: 'not-utf8', text: '{"id":2,"result":{"a":"\ufffd"}}' }))
    expect(settled).toEqual([1, 2])
  })

  test('no more once it is forgotten, though a later one may use the id again', () => {
    const { correlator, settled, expect: wait } = bench()
    const forget = wait(1)
    wait(1)
    forget()
    correlator.receive(frame(result(1)))
    expect(settled).toEqual([1])
  })
})

describe('a request of the target', () => {
  test('is answered by its handler, and by nobody where the handler is silent', async () => {
    const { correlator, responses } = bench({ ping: () => ({ result: {} }), 'roots/list': () => 'silence' })
    correlator.receive(frame({ jsonrpc: '2.0', id: 'p', method: 'ping' }))
    correlator.receive(frame({ jsonrpc: '2.0', id: 'r', method: 'roots/list' }))
    await soon()
    expect(responses).toEqual([['p', { result: {} }]])
  })

  test('is refused where nobody answers it, and a notification is passed over', async () => {
    const { correlator, responses } = bench()
    correlator.receive(frame({ jsonrpc: '2.0', id: 1, method: 'x' }))
    correlator.receive(frame({ jsonrpc: '2.0', method: 'notifications/x' }))
    correlator.receive(frame({ jsonrpc: '2.0', id: null, method: 'x' }))
    await soon()
    expect(responses).toEqual([[1, { error: { code: -32601, message: 'Method not found' } }]])
  })
})
