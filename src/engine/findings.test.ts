import { expect, test } from 'vitest'
import { judge } from '../suite/judgement.ts'
import type { MessageFrame } from '../wire/log.ts'
import { createFindings } from './findings.ts'

const place = {
  monitor: 'monitors/a',
  claim: 'c',
  requirement: 'r',
  spec: '2025-11-25',
  scenario: 'server/x/y',
} as const
const frame = (text: string) =>
  ({ channel: 'mcp', session: 's1', seq: 1, at: 0, kind: 'message', from: 'them', text, json: {} }) as MessageFrame

test('the worst judgement of a claim counts, and each faulty subject is kept', () => {
  const findings = createFindings()
  findings.add(place, judge('c', true, 'x', frame('')))
  findings.add(place, judge('c', false, 'x', frame('one'), { subject: 'one' }))
  findings.add({ ...place, scenario: 'server/x/z' }, judge('c', false, 'x', frame('two'), { subject: 'two' }))
  findings.add(place, judge('c', false, 'x', frame('again'), { subject: 'two' }))
  const [only] = findings.all()
  expect(only).toMatchObject({ scenario: 'server/x/y', worst: { outcome: 'breaks' }, more: 0 })
  expect(only?.faults.map(fault => fault.subject)).toEqual(['one', 'two'])
})

test('evidence of megabytes is kept by its beginning', () => {
  const findings = createFindings()
  findings.add(place, judge('c', false, 'x', frame('x'.repeat(5_000_000))))
  expect(JSON.stringify(findings.all()).length).toBeLessThan(10_000)
})
