/** What a server on this machine refuses by the head of a request (basic/transports#security-warning and #sending-messages-to-the-server). */
import { mediaType } from '../../wire/headers.ts'
import { type Refusal, refuse } from './outcome.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i

export const guardOrigin = (origin: string | undefined): Refusal | undefined =>
  origin === undefined || LOOPBACK.test(origin.replace(/^https?:\/\//i, ''))
    ? undefined
    : refuse(403, 'this Origin is not allowed')

export const guardHost = (host: string | undefined): Refusal | undefined =>
  host !== undefined && LOOPBACK.test(host) ? undefined : refuse(403, 'this Host is not served')

export function guardAccept(method: string, accept: string | undefined): Refusal | undefined {
  const listed = (accept ?? '').split(',').map(mediaType)
  const wanted = method === 'POST' ? ['application/json', 'text/event-stream'] : ['text/event-stream']
  return wanted.every(type => listed.includes(type))
    ? undefined
    : refuse(406, `Accept must list ${wanted.join(' and ')}`)
}

export const guardContentType = (value: string | undefined): Refusal | undefined =>
  mediaType(value) === 'application/json' ? undefined : refuse(415, 'Content-Type must be application/json')

export const guardVersion = (value: string | undefined, versions: readonly string[]): Refusal | undefined =>
  value === undefined || versions.includes(value)
    ? undefined
    : refuse(400, `MCP-Protocol-Version ${value} is not supported`)
