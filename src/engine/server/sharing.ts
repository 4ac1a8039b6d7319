/** What conversations may be shared over each transport. */
import type { Via } from '../../spec/catalogue.ts'
import type { AnyScenario } from '../../suite/server-scenario.ts'

/**
 * A process start costs a second of a processor, a session at an endpoint three requests. What leaves traces shares
 * processes only: over HTTP a stream that was left open would be one of them.
 */
export const SHARING = {
  stdio: { perSession: 40, own: 'share' },
  http: { perSession: 16, own: 'alone' },
} as const

/** Whether it begins a conversation, which over stdio is a process. */
export const isOpenedAnew = ({ session = 'shared' }: AnyScenario, via: Via): boolean =>
  session === 'own' ? SHARING[via].own === 'alone' : session !== 'shared'
