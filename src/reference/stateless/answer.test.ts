import { describe, expect, test } from 'vitest'
import { META } from '../../spec/request-metadata.ts'
import { at, type JsonObject } from '../../wire/json-rpc.ts'
import { defaultPolicies } from '../policies.ts'
import { answer } from './answer.ts'

const META_OF_A_CLIENT = { [META.version]: '2026-07-28', [META.capabilities]: {} }

const ask = (method: string, params: JsonObject = {}, meta: JsonObject = META_OF_A_CLIENT) =>
  answer(defaultPolicies(), { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } })

const codeOf = (answered: ReturnType<typeof ask>) => [at(answered?.message, 'error', 'code'), answered?.status]

describe('a request without a session', () => {
  test('is answered with a result that says of which type it is, and from whom', () => {
    const answered = ask('server/discover')
    expect(answered).toMatchObject({ status: 200, message: { id: 1, result: { resultType: 'complete' } } })
    expect(at(answered?.message, 'result', '_meta', META.serverInfo, 'name')).toBe('mcp-conformance-reference')
  })

  test('has to say its version and the capabilities of the client', () => {
    expect(codeOf(ask('tools/list', {}, {}))).toEqual([-32602, 400])
    expect(codeOf(ask('tools/list', {}, { [META.version]: '2026-07-28' }))).toEqual([-32602, 400])
    expect(codeOf(ask('tools/list', {}, { ...META_OF_A_CLIENT, [META.version]: 7 }))).toEqual([-32602, 400])
  })

  test('in an unknown version is told which ones there are', () => {
    const answered = ask('tools/list', {}, { ...META_OF_A_CLIENT, [META.version]: '1900-01-01' })
    expect(codeOf(answered)).toEqual([-32022, 400])
    expect(at(answered?.message, 'error', 'data')).toEqual({ supported: ['2026-07-28'], requested: '1900-01-01' })
  })

  test('whose head differs is refused before anything else is looked at', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(codeOf(answer(defaultPolicies(), message, () => ({ code: -32020 })))).toEqual([-32020, 400])
  })

  test('for a tool that needs more of the client is told what', () => {
    const lacking = ask('tools/call', { name: 'test_missing_capability' })
    expect(codeOf(lacking)).toEqual([-32021, 400])
    expect(at(lacking?.message, 'error', 'data')).toEqual({ requiredCapabilities: { sampling: {} } })
    const declared = { ...META_OF_A_CLIENT, [META.capabilities]: { sampling: {} } }
    expect(ask('tools/call', { name: 'test_missing_capability' }, declared)?.status).toBe(200)
  })

  test('for what is not there is refused: a method with 404, a tool with invalid params', () => {
    expect(codeOf(ask('ping'))).toEqual([-32601, 404])
    expect(codeOf(ask('tools/call', { name: 'no-such-tool' }))).toEqual([-32602, 200])
  })

  test('that wants a session is told the versions that need none', () => {
    expect(codeOf(ask('initialize', {}, {}))).toEqual([-32022, 400])
  })
})
