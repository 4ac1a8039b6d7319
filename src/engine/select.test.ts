import { describe, expect, test } from 'vitest'
import type { SuiteHead } from './discover.ts'
import { admitsClaims, admitsSuite, everything, nearest, unmatched } from './select.ts'
import { suiteId } from './suite-id.ts'

const head = (id: string): SuiteHead => ({
  id: suiteId(id),
  kind: 'server-scenario',
  role: 'server',
  sides: ['server'],
  area: id.split('/')[1] ?? '',
  title: 't',
  claims: { a: 'ping.response.prompt' },
  needs: {},
  session: 'shared',
  exclusive: false,
  harmful: false,
})

describe('selections', () => {
  const all = ['server/ping/answers', 'server/transport-http/origin', 'server/transport-stdio/chunked-input'].map(head)
  const chosen = (suites: string[], scenarios: string[] = []): string[] =>
    all.filter(one => admitsSuite({ ...everything, suites, scenarios }, one)).map(one => one.id)

  test('a suite answers to its area, its folder and globs of them', () => {
    expect(chosen(['ping'])).toEqual(['server/ping/answers'])
    expect(chosen(['server/ping'])).toEqual(['server/ping/answers'])
    expect(chosen(['transport-*'])).toHaveLength(2)
    expect(chosen(['*'])).toHaveLength(3)
  })

  test('an exclamation mark excludes', () => {
    expect(chosen(['!transport-*'])).toEqual(['server/ping/answers'])
    expect(chosen([], ['server/*', '!*origin'])).toHaveLength(2)
  })

  test('requirements select by the ids that claims cite', () => {
    expect(admitsClaims({ ...everything, requirements: ['ping.*'] }, head('server/y/z').claims)).toBe(true)
    expect(admitsClaims({ ...everything, requirements: ['tools.*'] }, head('server/y/z').claims)).toBe(false)
  })

  test('a glob without match names the nearest', () => {
    expect(unmatched(['lifecicle'], ['lifecycle', 'ping'])).toEqual([{ glob: 'lifecicle', nearest: 'lifecycle' }])
    expect(nearest('xyzzy', ['lifecycle', 'ping'])).toBeUndefined()
  })
})
