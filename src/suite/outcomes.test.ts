import { describe, expect, test } from 'vitest'
import type { ClientRun, StepReport } from './client-scenario.ts'
import { endKind, judgeTaken, stepKind } from './outcomes.ts'

const ended = (end: Partial<ClientRun['end']>, ...steps: StepReport[]): ClientRun => ({
  via: 'stdio',
  revision: '2025-11-25',
  drive: { name: 'initialize' },
  notes: undefined,
  conversations: [],
  requests: [],
  launches: 1,
  frames: [],
  messages: [],
  end: {
    how: 'exited',
    frame: { seq: 1, at: 0, channel: 'mcp', session: 'c1', kind: 'end', why: 'exited' },
    atMs: 0,
    ...end,
  },
  steps: new Map(steps.entries()),
})

describe('a client that should have gone on', () => {
  test('died where its process ended by itself', () => {
    expect(endKind(ended({ code: 1 }))).toBe('died')
  })
  test('is stuck where it was still running when its time was over', () => {
    expect(endKind(ended({ how: 'stopped' }))).toBe('stuck')
  })
})

describe('the answer of a step', () => {
  test('was refused where the driver reports an error', () => {
    expect(stepKind(ended({ code: 0 }, { outcome: 'error', message: 'no' }), 0)).toBe('refused')
  })
  test('is judged by the report of the driver', () => {
    const expected = 'the answer is read'
    const [judged] = judgeTaken('reads', ended({ code: 0 }, { outcome: 'error' }), {
      step: 0,
      expected,
      subject: 'tools/list',
    })
    expect(judged).toMatchObject({ outcome: 'breaks', fault: { kind: 'refused', subject: 'tools/list' } })
  })
  test('is judged by the end of the client where the driver says nothing', () => {
    expect(judgeTaken('reads', ended({ code: 0 }), { step: 0, expected: '' })[0]?.outcome).toBe('holds')
    expect(judgeTaken('reads', ended({ code: 1 }), { step: 0, expected: '', wrong: 'bends' })[0]).toMatchObject({
      outcome: 'bends',
      fault: { kind: 'died' },
    })
  })
  test('is not judged where the driver does not support the step', () => {
    expect(judgeTaken('reads', ended({ code: 0 }, { outcome: 'unsupported' }), { step: 0, expected: '' })).toEqual([])
  })
})
