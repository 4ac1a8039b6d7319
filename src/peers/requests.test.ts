import { describe, expect, test } from 'vitest'
import { familyOf } from '../dialects/families.ts'
import type { Revision } from '../spec/revision.ts'
import { at, type Json, type JsonObject, parseJson } from '../wire/json-rpc.ts'
import { createLog, type MessageFrame } from '../wire/log.ts'
import { createBarrier } from './barrier.ts'
import { createCorrelator } from './correlator.ts'
import { createHandlers } from './handlers.ts'
import { createHeard } from './heard.ts'
import type { Link } from './link.ts'
import { createRequests, type PeerCore, type Requests } from './requests.ts'
import { DEFAULT_TIMEOUTS } from './target.ts'

interface Bench {
  requests: Requests
  around: PeerCore
  sent: Json[]
}

/** A server over pipes that is one function: what it says to each message. */
function bench(revision: Revision, server: (message: Json) => (JsonObject | undefined)[], capabilities = {}): Bench {
  const log = createLog()
  const sent: Json[] = []
  const family = familyOf(revision)
  const conversation = family.converse({ revision, via: 'stdio', hello: { capabilities } })
  const handlers = createHandlers(family, capabilities)
  const heard = createHeard()
  const correlator = createCorrelator(() => {}, handlers.find)
  const hear = (json: JsonObject): void => {
    const frame = log.add({
      channel: 'mcp',
      session: 's1',
      kind: 'message',
      from: 'them',
      text: '',
      json,
    }) as MessageFrame
    heard.add(frame)
    correlator.receive(frame)
  }
  const link: Link = {
    via: 'stdio',
    labels: { session: 's1' },
    send(payload) {
      const message = parseJson(String(payload)) ?? null
      sent.push(message)
      for (const answer of server(message)) if (answer !== undefined) setImmediate(() => hear(answer))
      return { frames: [], abort() {} }
    },
    gone: new Promise(() => {}),
    isGone: false,
    close: async () => {},
    interrupt() {},
  }
  const around = {
    channel: { link, http: undefined, conversation, correlator, log },
    heard,
    handlers,
    timeouts: { ...DEFAULT_TIMEOUTS, replyMs: 2_000, graceMs: 1 },
  }
  return { requests: createRequests(around), around, sent }
}

const answer = (message: Json, result: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: at(message, 'id') ?? null,
  result,
})

describe('a request', () => {
  test('is awaited for its reply, and says what came with it', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
    const { requests } = bench('2025-11-25', message => [progress, answer(message, { tools: [] })])
    const pending = requests.send('tools/list')
    expect(await pending).toMatchObject({ kind: 'result', result: { tools: [] } })
    expect(pending.notifications().map(({ json }) => at(json, 'method'))).toEqual(['notifications/progress'])
    expect(await pending.outcome()).toMatchObject({ kind: 'complete' })
  })

  test('leaves out notifications of a subscription that is not its own', async () => {
    const other = { method: 'notifications/x', params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 99 } } }
    const { requests } = bench('2026-07-28', message => [{ jsonrpc: '2.0', ...other }, answer(message, {})])
    const pending = requests.send('tools/list')
    await pending
    expect(pending.notifications()).toEqual([])
  })

  test('is cancelled by a notification that names it', async () => {
    const { requests, sent } = bench('2026-07-28', message =>
      at(message, 'method') === 'notifications/cancelled' ? [] : [undefined],
    )
    const pending = requests.send('tools/call', { name: 'slow' }, { withinMs: 20 })
    await pending.cancel('enough')
    expect(await pending).toMatchObject({ kind: 'none', why: 'timeout' })
    expect(sent[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: pending.id, reason: 'enough' },
    })
  })
})

describe('a result that asks for input', () => {
  const asks = (message: Json): JsonObject[] => {
    const given = at(message, 'params', 'inputResponses', 'name', 'content')
    if (given !== undefined) return [answer(message, { resultType: 'complete', content: [given] })]
    const inputRequests = { name: { method: 'elicitation/create', params: { message: 'who?' } } }
    return [answer(message, { resultType: 'input_required', inputRequests, requestState: 's' })]
  }

  test('is seen as such, and completed by asking again with the answers, the state and a new id', async () => {
    const { requests, around, sent } = bench('2026-07-28', asks, { elicitation: {} })
    around.handlers.on('elicitation/create', () => ({ result: { action: 'accept', content: { name: 'me' } } }))
    const pending = requests.send('tools/call', { name: 'ask' }, { id: 'first' })
    expect(await pending).toMatchObject({ kind: 'result', result: { resultType: 'input_required' } })
    expect(await pending.outcome()).toMatchObject({ kind: 'input-required', needs: { state: 's' } })
    expect(await pending.completed()).toMatchObject({ kind: 'result', result: { content: [{ name: 'me' }] } })
    expect(sent[1]).toMatchObject({ params: { name: 'ask', requestState: 's' } })
    expect(at(sent[1], 'id')).not.toBe('first')
  })

  test('stays as it is where we have no answer', async () => {
    const { requests, sent } = bench('2026-07-28', asks)
    expect(await requests.send('tools/call', { name: 'ask' }).completed()).toMatchObject({
      result: { resultType: 'input_required' },
    })
    expect(sent).toHaveLength(1)
  })
})

describe('a barrier', () => {
  test('is the request of the family, and its own answer is nothing that was heard', async () => {
    const { requests, around, sent } = bench('2026-07-28', message => [answer(message, {})])
    expect(await createBarrier(around, requests).settle()).toMatchObject({ alive: true, messages: [] })
    expect(at(sent[0], 'method')).toBe('server/discover')
  })

  test('is another request where the target does not answer the first', async () => {
    const { requests, around } = bench('2025-11-25', message =>
      at(message, 'method') === 'ping' ? [] : [answer(message, {})],
    )
    const barrier = createBarrier(around, requests)
    expect(await barrier.findLiveness(30)).toBe('tools/list')
    expect([barrier.liveness, await barrier.alive()]).toEqual(['tools/list', true])
  })
})
