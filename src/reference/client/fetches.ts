/**
 * What a client might fetch by itself: icons, pages that a server wants opened. The reference shows nothing, so it
 * fetches nothing; which dangers that would have is said at basic/index#icons and client/elicitation#safe-url-handling.
 */
import { connect } from 'node:net'
import { createHttpConnection, headerValue } from '../../wire/http.ts'
import { at, type Json, textAt } from '../../wire/json-rpc.ts'
import type { HeaderList } from '../../wire/log.ts'

export type Occasion = 'icon' | 'link' | 'shown' | 'accepted' | 'refused'

export interface FetchRules {
  /** Whether a URL is fetched on that occasion: `shown` is before the user has decided about it. */
  fetches(url: string, occasion: Occasion): boolean
  headers(sessionId: string | undefined): HeaderList
  follows(from: string, to: string): boolean
}

export const correctFetches = (): FetchRules => ({
  fetches: () => false,
  headers: () => [],
  follows: () => false,
})

export interface Fetcher {
  about(url: string, occasion: Occasion, sessionId?: string): void
  stop(): void
}

const PORTS: Record<string, number> = { 'ftp:': 21, 'ws:': 80, 'wss:': 443 }
const MAX_REDIRECTS = 5

export function createFetcher(rules: FetchRules): Fetcher {
  const open = new Set<() => void>()
  const overHttp = (url: string, sessionId: string | undefined, redirects: number): void => {
    const connection = createHttpConnection()
    const finish = (): void => {
      open.delete(finish)
      connection.close().catch(() => {})
    }
    open.add(finish)
    connection.send(
      { method: 'GET', url, headers: rules.headers(sessionId) },
      {
        head({ status, headers }) {
          const location = headerValue(headers, 'location')
          if (status < 300 || status > 399 || location === undefined || redirects >= MAX_REDIRECTS) return
          const target = URL.canParse(location, url) ? new URL(location, url).href : undefined
          if (target !== undefined && rules.follows(url, target)) visit(target, sessionId, redirects + 1)
        },
        data: () => {},
        end: finish,
        failed: finish,
      },
    )
  }
  const overTcp = ({ hostname, port, protocol }: URL): void => {
    const socket = connect(port === '' ? (PORTS[protocol] ?? 80) : Number(port), hostname)
    const finish = (): void => {
      open.delete(finish)
      socket.destroy()
    }
    open.add(finish)
    socket.once('error', finish)
    socket.once('connect', finish)
  }
  const visit = (url: string, sessionId: string | undefined, redirects: number): void => {
    const parsed = new URL(url)
    if (parsed.protocol === 'http:' || parsed.protocol === 'https:') overHttp(url, sessionId, redirects)
    else if (parsed.hostname !== '') overTcp(parsed)
  }
  return {
    about(url, occasion, sessionId) {
      if (URL.canParse(url) && rules.fetches(url, occasion)) visit(url, sessionId, 0)
    },
    stop() {
      for (const finish of [...open]) finish()
    },
  }
}

/** The icons of one thing that has some. */
export function iconsOf(value: Json | undefined): string[] {
  const icons = at(value, 'icons')
  return (Array.isArray(icons) ? icons : []).flatMap(icon => textAt(icon, 'src') ?? [])
}
