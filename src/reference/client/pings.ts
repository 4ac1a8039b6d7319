/** The pings of the client's own, where the policies want some (basic/utilities/ping). */
import type { Clock } from './clock.ts'
import type { ClientPolicies } from './policies.ts'
import type { Requests } from './requests.ts'

export interface Pinging {
  policies: Pick<ClientPolicies, 'pings'>
  clock: Clock
  request: Requests['request']
  isClosing(): boolean
  onDown(why: string): void
}

export function keepPinging({ policies, clock, request, isClosing, onDown }: Pinging): void {
  const { everyMs, timeoutMs, unanswered } = policies.pings
  if (everyMs === undefined) return
  const pingOnce = async (): Promise<void> => {
    const reply = await request('ping', undefined, { timeoutMs })
    const isLate = reply.kind === 'failed' && reply.why === 'timeout'
    if (isLate && unanswered === 'disconnect' && !isClosing()) onDown('a ping was not answered')
  }
  const next = (): void => {
    clock.after(everyMs, () => {
      if (isClosing()) return
      next()
      void pingOnce()
    })
  }
  next()
}
