import { expect, test } from 'vitest'
import { areaIn, isMonitorId, roleIn, suiteId } from './suite-id.ts'

test('an id says which role its scenario is for, and in which area', () => {
  expect(roleIn('server/tools/unknown-tool')).toBe('server')
  expect(roleIn('authorization-server/metadata/issuer')).toBe('authorization-server')
  expect(roleIn('monitors/framing')).toBeUndefined()
  expect(areaIn(suiteId('client/ping/answers'))).toBe('ping')
  expect(isMonitorId('monitors/framing')).toBe(true)
})

test('a file in no folder of a role is no suite', () => {
  expect(() => suiteId('helpers/x')).toThrow(/lies in no folder/)
})
