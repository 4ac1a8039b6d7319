import { describe, expect, test } from 'vitest'
import { familyOf } from '../dialects/families.ts'
import type { Revision } from '../spec/revision.ts'
import type { Json } from '../wire/json-rpc.ts'
import { createOpening, type Opening } from './opening.ts'
import type { Reply } from './reply.ts'

const opened = (revision: Revision, result: Json): Opening => {
  const opening = createOpening(familyOf(revision).converse({ revision, via: 'stdio', hello: {} }))
  opening.adopt({ kind: 'result', id: 1, result, frames: [], afterMs: 0 })
  return opening
}

describe('an introduction', () => {
  test('says the same of a server, whatever its family calls it', () => {
    const said = { name: 'x', version: '1', capabilities: { tools: {} } }
    const { name, version, capabilities } = said
    const handshake = { protocolVersion: '2025-06-18', capabilities, serverInfo: { name, version } }
    expect(opened('2025-11-25', handshake).introduction).toEqual({
      kind: 'open',
      protocolVersion: '2025-06-18',
      ...said,
    })
    const discovery = {
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name, version } },
    }
    expect(opened('2026-07-28', discovery).introduction).toEqual({
      kind: 'open',
      protocolVersion: '2026-07-28',
      ...said,
    })
  })

  test('has failed where the answer is none, or nothing that could be one', () => {
    const opening = createOpening(familyOf('2025-11-25').converse({ revision: '2025-11-25', via: 'stdio', hello: {} }))
    expect(opening.introduction).toBeUndefined()
    const refusal: Reply = { kind: 'error', id: 1, code: -1, message: '', error: {}, frames: [], afterMs: 0 }
    opening.adopt(refusal)
    expect(opening.introduction).toEqual({ kind: 'failed', reply: refusal })
    expect(opened('2025-11-25', 'hello').introduction?.kind).toBe('failed')
  })
})
