/** What a server can offer so that more of it can be judged: names and behaviour, from schema/fixtures.json. */
import { readFileSync } from 'node:fs'
import type { Revision } from './revision.ts'

export interface Fixture {
  kind: 'tool' | 'resource' | 'template' | 'prompt'
  name: string
  /** part of the contract that SDKs already support; the others are ours */
  official: boolean
  /** the first revision that it is about; all of them where it says nothing */
  since?: Revision
  does: string
}

export const loadFixtures = (): Fixture[] =>
  JSON.parse(readFileSync(new URL('../../schema/fixtures.json', import.meta.url), 'utf8')) as Fixture[]
