import { expect, test } from 'vitest'
import type { ServerSetup } from '../peers/double/double.ts'
import { built } from './built.ts'

const { judgeDouble } = await built<typeof import('./judge-double.ts')>('prove/judge-double.js')
const { plainSetup } = await built<typeof import('./plain-setup.ts')>('prove/plain-setup.js')

/** Over stdio there are 335, over HTTP more. Far fewer would mean that the suites did not find what the double offers. */
const CLAIMS = 300
const CLAIMS_WITHOUT_SESSIONS = 20

const WAYS: { named: string; via: 'stdio' | 'http'; http?: ServerSetup['http'] }[] = [
  { named: 'over stdio', via: 'stdio' },
  { named: 'over HTTP, in JSON where it can', via: 'http' },
  {
    named: 'over HTTP, in event streams that can be resumed',
    via: 'http',
    http: { answerBy: () => 'sse', ids: true, primes: true, retryMs: 100 },
  },
]

test.each(WAYS)('our server for clients is a correct server, $named', async ({ via, http = {} }) => {
  const { held, wrong } = await judgeDouble(via, () => ({ ...plainSetup(), http }))
  expect(wrong).toEqual([])
  expect(held).toBeGreaterThan(CLAIMS)
})

test.each(WAYS.slice(0, 2))('without sessions it is a correct server, too, $named', async ({ via }) => {
  const { held, wrong } = await judgeDouble(via, () => ({ ...plainSetup(), handlers: {} }), '2026-07-28')
  expect(wrong).toEqual([])
  expect(held).toBeGreaterThan(CLAIMS_WITHOUT_SESSIONS)
})
