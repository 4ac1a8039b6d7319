import { describe, expect, test } from 'vitest'
import { resultOf } from '../report/sample.ts'
import { createLog } from '../wire/log.ts'
import { confirmReds, groupedByScenario } from './confirm.ts'
import { createObserver } from './observe.ts'
import type { Result } from './result.ts'
import type { RoleDriver, Run } from './role-driver.ts'
import { everything } from './select.ts'

const red = (more: Partial<Result>): Result => resultOf({ verdict: 'fail', kind: 'wrong-code', ...more })

function runOf(): Run {
  const log = createLog()
  return {
    options: {
      at: 'x',
      revision: '2025-11-25',
      revisionIs: 'offered',
      bail: false,
      selection: everything,
      heads: [],
      log,
      signal: new AbortController().signal,
      listen: () => {},
      reproduce: () => '',
    },
    context: { role: 'server', via: 'stdio', spec: '2025-11-25', reproduce: () => '' },
    monitors: [],
    observer: createObserver([], log, { via: 'stdio', role: 'server', offered: '2025-11-25' }),
  }
}

/** A driver whose replays show these results. */
const replaying = (seen: Record<string, Result[]>, asked: string[]): RoleDriver =>
  ({
    replay: async (scenario: string) => {
      asked.push(scenario)
      return seen[scenario] ?? []
    },
  }) as unknown as RoleDriver

describe('reds', () => {
  test('are played again once for each scenario: their own, or the one that a monitor blames', () => {
    const groups = groupedByScenario([
      red({ scenario: 'server/a/b' }),
      red({ scenario: 'server/a/b', claim: 'other' }),
      red({ scenario: 'monitors/m', seenIn: 'server/a/b' }),
      red({ scenario: 'monitors/m', seenIn: 'server/a/c' }),
    ])
    expect([...groups].map(([id, reds]) => [id, reds.length])).toEqual([
      ['server/a/b', 3],
      ['server/a/c', 1],
    ])
  })

  test('that come again are confirmed, the others make the run unstable', async () => {
    const asked: string[] = []
    const results = [red({ scenario: 'server/a/b' }), red({ scenario: 'server/a/c' }), resultOf({ verdict: 'warn' })]
    const driver = replaying({ 'server/a/b': [red({ scenario: 'server/a/b' })] }, asked)
    expect(await confirmReds(runOf(), driver, results)).toBe(true)
    expect(results.map(result => [result.verdict, result.confirmed])).toEqual([
      ['fail', true],
      ['warn', false],
      ['warn', undefined],
    ])
    expect(asked.sort()).toEqual(['server/a/b', 'server/a/c'])
  })
})
