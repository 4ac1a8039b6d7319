/** How long one request is waited for (basic/lifecycle#timeouts). */
import type { Clock } from './clock.ts'
import type { ClientPolicies } from './policies.ts'

export interface Limits {
  /** There was progress: the limit may start anew, but never the one that no progress can move. */
  progressed(): void
  stop(): void
}

export type GiveUp = (why: 'timeout' | 'cancelled', reason: string) => void

export function startLimits(
  { policies, clock }: { policies: Pick<ClientPolicies, 'timeoutMs' | 'maximumMs' | 'progressExtends'>; clock: Clock },
  { timeoutMs = policies.timeoutMs, cancelAfterMs }: { timeoutMs?: number; cancelAfterMs?: number },
  giveUp: GiveUp,
): Limits {
  const late = (): void => giveUp('timeout', `no answer within ${timeoutMs} ms`)
  const cancel = (): void => giveUp('cancelled', 'the user cancelled the request')
  const fixed = [clock.after(policies.maximumMs, late)]
  if (cancelAfterMs !== undefined) fixed.push(clock.after(cancelAfterMs, cancel))
  let takeBack = clock.after(timeoutMs, late)
  return {
    progressed() {
      if (!policies.progressExtends) return
      takeBack()
      takeBack = clock.after(timeoutMs, late)
    },
    stop() {
      for (const end of [...fixed, takeBack]) end()
    },
  }
}
