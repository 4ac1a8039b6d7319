import { describe, expect, test } from 'vitest'
import type { OpenPeer } from '../../peers/open-peer.ts'
import type { AnyScenario, Fixture } from '../../suite/server-scenario.ts'
import { allCapabilities, isWorthALook, missingFixtures } from './fixtures.ts'

const scenario = (fixture: Fixture | undefined, more: object = {}): AnyScenario =>
  ({ ...(fixture === undefined ? {} : { needs: { fixture } }), ...more }) as AnyScenario

/** A peer whose target lists these tools, or refuses to. */
const peer = (tools: string[] | 'refused', capabilities: object = { tools: {} }): OpenPeer =>
  ({
    capabilities,
    request: async () =>
      tools === 'refused'
        ? { kind: 'error', code: -1, message: 'no', frames: [] }
        : { kind: 'result', result: { tools: tools.map(name => ({ name })) }, frames: [] },
  }) as unknown as OpenPeer

describe('a fixture is missing', () => {
  const wanted = [scenario({ tool: 'a' }), scenario({ tool: 'b' }), scenario(undefined)]

  test('where no client is shown it', async () => {
    expect(await missingFixtures([peer(['a']), peer(['a', 'x'])], wanted)).toEqual(new Set(['tool b']))
  })

  test('but not where one that can do more is shown it', async () => {
    expect(await missingFixtures([peer(['a']), peer(['a', 'b'])], wanted)).toEqual(new Set())
  })

  test('where the target has nothing of the kind', async () => {
    expect(await missingFixtures([peer([], {}), peer([], {})], wanted)).toEqual(new Set(['tool a', 'tool b']))
  })

  test('but nothing is concluded from a list that cannot be read', async () => {
    expect(await missingFixtures([peer(['a']), peer('refused')], wanted)).toEqual(new Set())
  })
})

test('the look is worth it where three conversations are at stake', () => {
  const a = { tool: 'a' }
  expect(isWorthALook([scenario(a), scenario(a), scenario(a)])).toBe(false)
  expect(isWorthALook([scenario(a), scenario(a, { session: 'fresh' }), scenario(a, { session: 'fresh' })])).toBe(true)
  expect(isWorthALook([scenario(undefined, { session: 'fresh' }), scenario(a), scenario(a)])).toBe(false)
})

test('the client that can do all declares what any scenario with a fixture declares', () => {
  const hello = (capabilities: object): object => ({ hello: { capabilities } })
  const all = allCapabilities([
    scenario({ tool: 'a' }, hello({ elicitation: {}, sampling: {} })),
    scenario({ tool: 'b' }, hello({ elicitation: { url: {} } })),
    scenario(undefined, hello({ roots: {} })),
  ])
  expect(all).toEqual({ elicitation: { url: {} }, sampling: {} })
})
