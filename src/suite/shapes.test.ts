import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import type { Judgement } from './judgement.ts'
import type { MonitorContext } from './monitor-definition.ts'
import { judgeShapes, noExchanges, remember } from './shapes.ts'

const frame: MessageFrame = {
  seq: 1,
  at: 0,
  channel: 'mcp',
  session: 's',
  kind: 'message',
  from: 'them',
  text: '',
}
const context: MonitorContext = { via: 'stdio', role: 'server', revision: () => '2025-11-25' }

/** What is said of the answer of a server to a request of ours. */
function judged(method: string, result: JsonObject): Judgement<string>[] {
  const state = noExchanges()
  remember(state, { jsonrpc: '2.0', id: 1, method })
  return judgeShapes(state, context, { jsonrpc: '2.0', id: 1, result }, frame)
}

const said = (method: string, params: JsonObject): Judgement<string>[] =>
  judgeShapes(noExchanges(), context, { jsonrpc: '2.0', method, params }, frame)

const faults = (judgements: Judgement<string>[]): string[] =>
  judgements
    .filter(({ outcome }) => outcome !== 'holds')
    .map(({ claim, fault }) => `${claim}: ${fault.kind} ${fault.subject}`)

const held = (judgements: Judgement<string>[]): string[] =>
  judgements.filter(({ outcome }) => outcome === 'holds').map(({ claim }) => claim)

const TOOL = { name: 'a', inputSchema: { type: 'object' } }

describe('what is wrong with a message', () => {
  test('has the place as its subject, the same for each entry of a list', () => {
    expect(faults(judged('tools/list', { tools: [TOOL, { ...TOOL, name: 1 }] }))).toEqual([
      'tools.tool.name-present: wrong-type tools/list result.tools[].name',
    ])
  })
  test('is a matter of the whole schema where no clause speaks of it', () => {
    expect(faults(said('notifications/elicitation/complete', {}))).toEqual([
      'valid: missing notifications/elicitation/complete params.elicitationId',
    ])
  })
  test('may break several requirements', () => {
    expect(faults(judged('tools/list', { tools: ['a'] }))).toEqual([
      'tools.tool.name-present: wrong-type tools/list result.tools[]',
      'tools.tool.optional-members: wrong-type tools/list result.tools[]',
    ])
  })
  test('breaks another requirement by its absence than by its value', () => {
    expect(faults(said('notifications/message', { data: 1 }))).toEqual([
      'logging.message.level: missing notifications/message params.level',
      'logging.levels.values: missing notifications/message params.level',
    ])
    expect(faults(said('notifications/message', { data: 1, level: 'warn' }))).toEqual([
      'logging.levels.values: wrong-value notifications/message params.level',
    ])
  })
  test('is left to the monitor for icons, but for the list of them in an entry', () => {
    expect(faults(judged('tools/list', { tools: [{ ...TOOL, icons: [{ src: 1 }] }] }))).toEqual([])
    expect(faults(judged('tools/list', { tools: [{ ...TOOL, icons: {} }] }))).toEqual([
      'tools.tool.optional-members: wrong-type tools/list result.tools[].icons',
    ])
    expect(
      faults(judged('tools/call', { content: [{ type: 'resource_link', uri: 'x:a', name: 'a', icons: 1 }] })),
    ).toEqual([])
  })
})

describe('a clause holds', () => {
  test('where its member is there and right', () => {
    expect(held(judged('tools/list', { tools: [TOOL] }))).toContain('tools.tool.name-present')
  })
  test('where the member may be left out beside others that are there', () => {
    expect(held(judged('tools/call', { content: [] }))).toContain('tools.result.is-error-boolean')
    expect(held(judged('tools/call', { content: [] }))).not.toContain('tools.structured.is-object')
  })
})
