/** The sessions of one client, one after the other: where the server has forgotten one, a new one takes its place (basic/transports#session-management). */
import type { JsonObject } from '../../wire/json-rpc.ts'
import type { ClientPolicies } from './policies.ts'
import type { Reply } from './reply.ts'
import type { RequestOptions } from './requests.ts'
import type { Session } from './session.ts'

export interface Sessions {
  /** There is none before the first was opened. */
  readonly current: Session
  /** Nothing goes any more. */
  readonly isDown: boolean
  open(): Promise<Reply>
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Reply>
  destroy(): void
}

export interface SessionEvents {
  onExpired(): void
  onDown(): void
}

/** `name` tells it from the others; `previousId`: of the session that the server has forgotten. */
export type BeginSession = (name: string, previousId: string | undefined, events: SessionEvents) => Session

export interface SessionsContext {
  policies: Pick<ClientPolicies, 'onExpired' | 'maxRenewals'>
  begin: BeginSession
  onOpened(session: Session): void
  crash(problem: unknown): void
}

export function createSessions({ policies, begin, onOpened, crash }: SessionsContext): Sessions {
  let current: Session | undefined
  let isDown = false
  let count = 0
  let renewals = 0
  let renewing: Promise<void> | undefined

  const session = (): Session => {
    if (current === undefined) throw new Error('the client was not opened')
    return current
  }
  const open = async (previousId?: string): Promise<Reply> => {
    count += 1
    isDown = false
    const opened = begin(`session ${count}`, previousId, {
      onExpired: () => void renew(opened).catch(crash),
      onDown: () => {
        isDown = true
      },
    })
    current = opened
    const reply = await opened.open()
    if (reply.kind === 'result') onOpened(opened)
    return reply
  }
  /** Of several that see that a session is gone, one begins a new one, and all wait for it. */
  const renew = async (gone: Session): Promise<void> => {
    if (renewing === undefined && current === gone) {
      if (policies.onExpired === 'stop') isDown = true
      if (policies.onExpired !== 'open anew' || renewals >= policies.maxRenewals) return
      renewals += 1
      const { sessionId } = gone
      gone.expire()
      renewing = open(sessionId).then(reply => {
        renewing = undefined
        if (reply.kind !== 'result') isDown = true
      })
    }
    await renewing
  }
  return {
    get current() {
      return session()
    },
    get isDown() {
      return isDown
    },
    open: () => open(),
    async request(method, params, options) {
      const used = session()
      const reply = await used.request(method, params, options)
      if (reply.kind !== 'failed' || reply.why !== 'expired') return reply
      await renew(used)
      return current === used || isDown ? reply : session().request(method, params, options)
    },
    destroy: () => current?.destroy(),
  }
}
