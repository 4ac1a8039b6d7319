import { describe, expect, test } from 'vitest'
import type { SuiteHead } from './discover.ts'
import { declares, planMonitors, planScenarios } from './plan.ts'
import { everything } from './select.ts'
import { suiteId } from './suite-id.ts'

const head = (id: string, more: Partial<SuiteHead> = {}): SuiteHead => ({
  id: suiteId(id),
  kind: 'server-scenario',
  role: 'server',
  sides: ['server'],
  area: 'ping',
  title: 't',
  claims: { a: 'ping.response.prompt' },
  needs: {},
  session: 'shared',
  exclusive: false,
  harmful: false,
  ...more,
})

const facts = { role: 'server', via: 'stdio', revision: '2025-11-25', capabilities: { tools: {} } } as const
const idsOf = (heads: SuiteHead[], more: object = {}): string[] =>
  planScenarios(heads, { ...facts, ...more }, everything).map(one => one.head.id)

describe('the plan', () => {
  test('has the scenarios of the role that suit transport and revision', () => {
    const heads = [
      head('server/a/any'),
      head('server/a/http', { needs: { via: 'http' } }),
      head('server/a/old', { needs: { until: '2025-03-26' } }),
      head('client/a/other', { role: 'client', sides: ['client'] }),
    ]
    expect(idsOf(heads)).toEqual(['server/a/any'])
    expect(idsOf(heads, { via: 'http' })).toEqual(['server/a/any', 'server/a/http'])
    expect(idsOf(heads, { revision: '2024-11-05' })).toEqual(['server/a/any', 'server/a/old'])
  })

  test('leaves out citations that a revision lacks, and what has none left', () => {
    const modern = head('server/a/modern', {
      claims: { a: 'no.such-clause', b: 'ping.response.prompt' },
    })
    expect(planScenarios([modern], facts, everything)[0]?.claims.map(one => one.claim)).toEqual(['b'])
    expect(idsOf([head('server/a/none', { claims: { a: 'no.such-clause' } })])).toEqual([])
  })

  test('skips what needs a capability that is not declared, and says which', () => {
    const [planned] = planScenarios(
      [head('server/a/x', { needs: { capability: 'tools.listChanged' } })],
      facts,
      everything,
    )
    expect(planned?.skip).toBe('the target does not declare the capability tools.listChanged')
  })

  test('takes the monitors that watch the side', () => {
    const heads = [
      head('monitors/both', { kind: 'monitor', sides: ['server', 'client'] }),
      head('monitors/client', { kind: 'monitor', sides: ['client'] }),
    ]
    expect(planMonitors(heads, 'server', everything).map(one => one.id)).toEqual(['monitors/both'])
  })
})

test('a capability is declared by any value but false and null', () => {
  const capabilities = { a: { b: true, c: false, d: {}, e: null } }
  expect(['a', 'a.b', 'a.c', 'a.d', 'a.e', 'a.b.x', 'z'].map(path => declares(capabilities, path))).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
    false,
  ])
})
