/** The HTTP requests of one session: what goes out is decided by the policies, what comes back belongs to whoever asked. */
import { createHttpConnection, type HttpHead } from '../../wire/http.ts'
import type { HeaderList } from '../../wire/log.ts'
import type { Outgoing } from '../outgoing.ts'
import { headersFor } from './http-headers.ts'
import type { HttpView } from './http-rules.ts'
import type { LinkContext } from './link.ts'

/** What is wanted of the answer to one HTTP request. */
export interface Answered {
  head(head: HttpHead): void
  data(chunk: Uint8Array): void
  /** `broken`: why it did not come to its end */
  end(broken?: string): void
}

/** Returns how many requests went out: a tamper may have dropped it. */
export type Exchange = (
  view: Pick<HttpView, 'method' | 'lastEventId' | 'message'>,
  answered: () => Answered,
  /** where to, if not to the endpoint */
  to?: string,
) => number

/** What the requests of a session name, as far as it is known. */
export interface Identity {
  sessionId: string | undefined
  readonly previousId: string | undefined
  /** the revision that was agreed */
  version: string | undefined
}

export interface Exchanges {
  exchange: Exchange
  /** Does nothing once the link is closed; what is thrown ends the client. */
  guarded(act: () => void): void
  readonly isClosed: boolean
  /** Aborts what is under way. */
  close(): void
}

type OutgoingRequest = Extract<Outgoing, { layer: 'request' }>

export function createExchanges({ policies, tamper, crash }: LinkContext, url: string, identity: Identity): Exchanges {
  const connection = createHttpConnection()
  const aborts = new Set<() => void>()
  let isClosed = false

  const guarded = (act: () => void): void => {
    if (isClosed) return
    try {
      act()
    } catch (problem) {
      crash(problem)
    }
  }
  const dispatch = ({ method, url, headers, body }: OutgoingRequest, answered: Answered): void => {
    let abort = (): void => {}
    const finish = (broken?: string): void => {
      aborts.delete(abort)
      guarded(() => answered.end(broken))
    }
    const bytes = body === '' ? {} : { body: policies.encode(body) }
    try {
      abort = connection.send(
        { method, url, headers: Object.entries(headers) as HeaderList, ...bytes },
        {
          head: head => guarded(() => answered.head(head)),
          data: chunk => guarded(() => answered.data(chunk)),
          end: () => finish(),
          failed: error => finish(error.message || String(error.code)),
        },
      )
      aborts.add(abort)
    } catch (problem) {
      finish(String(problem))
    }
  }
  return {
    exchange({ method, lastEventId, message }, answered, to = url) {
      const headers = headersFor(policies, { method, lastEventId, message, ...identity })
      const body = message === undefined ? '' : JSON.stringify(message)
      const outs = tamper({ layer: 'request', method, url: to, headers, body, message })
      for (const out of outs) if (out.layer === 'request') dispatch(out, answered())
      return outs.length
    },
    guarded,
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      for (const abort of [...aborts]) abort()
      connection.close().catch(() => {})
    },
  }
}
