import { describe, expect, test } from 'vitest'
import { proofKey, provenBy, readRecord } from './proof-record.ts'
import type { Proof } from './prove.ts'

const proof = (changed: Partial<Proof>): Proof => ({
  suite: 'server/ping/answers',
  side: 'server',
  via: 'stdio',
  spec: '2025-11-25',
  defect: 'turns empty red: no answer',
  claim: 'empty',
  requirement: 'ping.response.empty-result',
  problems: [],
  ...changed,
})

describe('the record of the proofs', () => {
  test('names what a defect turned red once, by suite, revision and side, in order', () => {
    const proofs = [
      proof({ requirement: 'ping.response.prompt' }),
      proof({}),
      proof({ via: 'http' }),
      proof({ spec: '2025-06-18' }),
      proof({ suite: 'monitors/ping', side: 'client' }),
    ]
    const proven = {
      'monitors/ping': { '2025-11-25': { client: ['ping.response.empty-result'] } },
      'server/ping/answers': {
        '2025-06-18': { server: ['ping.response.empty-result'] },
        '2025-11-25': { server: ['ping.response.empty-result', 'ping.response.prompt'] },
      },
    }
    expect(provenBy(proofs)).toEqual(proven)
    expect(JSON.stringify(provenBy(proofs.reverse()))).toBe(JSON.stringify(proven))
  })

  test('leaves out what failed, and runs without a defect', () => {
    expect(provenBy([proof({ problems: ['claim empty did not turn red'] }), proof({ defect: undefined })])).toEqual({})
  })

  test('is committed, and of a full run', () => {
    const record = readRecord()
    expect(record?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(record?.proofs).toBeGreaterThan(1_000)
  })

  test('has a key that stays the same as long as the built code does', () => {
    expect(proofKey()).toBe(proofKey())
  })
})
