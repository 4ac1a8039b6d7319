/** The first conversation of a run: is there an MCP server at all, and how does it show that it lives? */
import { type OpenPeer, showsLife } from '../../peers/open-peer.ts'
import type { HttpReply, Reply } from '../../peers/reply.ts'
import { clock } from '../../wire/clock.ts'
import { short } from '../../wire/excerpt.ts'
import { mediaType } from '../../wire/http.ts'
import { isObject, isResponse, shapeOf, textAt } from '../../wire/json-rpc.ts'
import type { TargetFacts, Trouble } from '../result.ts'

/** How the liveness probe is asked where ping is not answered: any answer will do. */
const OTHER_SIGNS = ['tools/list', 'x-conformance/liveness']

/** Finds the request by which this target shows life; undefined when nothing is answered. */
export async function findLiveness(peer: OpenPeer, withinMs: number): Promise<string | undefined> {
  for (const method of [peer.liveness, ...OTHER_SIGNS]) {
    const reply = await peer.request(method, undefined, { withinMs })
    if (showsLife(reply)) return method
    if (reply.kind === 'none' && reply.why === 'closed') return undefined
  }
  return undefined
}

/**
 * Silence may mean that the server waits for headers in front of each message, as language servers do. One try with
 * them names the fault exactly.
 */
export async function waitsForHeaders(peer: OpenPeer): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...peer.hello })
  await peer.bytes(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const heard = (): boolean =>
    peer.heard().some(({ text, json }) => /^Content-Length:/i.test(text) || isResponse(shapeOf(json)))
  // The process may still be starting: it gets as long as a handshake.
  const until = clock().now() + peer.timeouts.handshakeMs
  while (!heard() && !peer.isGone && clock().now() < until) await peer.watch()
  return heard()
}

export function factsOf(base: Pick<TargetFacts, 'role' | 'via' | 'at'>, peer: OpenPeer): TargetFacts {
  const opened = peer.opened
  if (opened === undefined) return base
  const name = textAt(opened.serverInfo, 'name')
  const version = textAt(opened.serverInfo, 'version')
  return {
    ...base,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(opened.protocolVersion === undefined ? {} : { protocolVersion: opened.protocolVersion }),
    capabilities: opened.capabilities,
  }
}

/** What was wrong when the handshake brought no result; undefined when it did. */
export function troubleOf(
  at: string,
  opening: Reply | undefined,
  heardAnything: boolean,
  handshakeMs: number,
): Trouble | undefined {
  if (opening === undefined) return { kind: 'silent', sentence: `${at} was not asked` }
  switch (opening.kind) {
    case 'result':
      return isObject(opening.result)
        ? undefined
        : {
            kind: 'malformed',
            sentence: `${at} answers initialize with a result that is no object; the handshake cannot go on.`,
          }
    case 'error':
      return {
        kind: 'refused',
        sentence: `${at} refuses initialize with error ${opening.code} (${short(opening.message)}); check how it wants to be started.`,
      }
    case 'http-error':
      return httpTrouble(at, opening.http)
    case 'none':
      return noneTrouble(at, opening, heardAnything, handshakeMs)
  }
}

function httpTrouble(at: string, http: HttpReply): Trouble {
  const { status } = http
  if (status === 401 || status === 403) {
    return {
      kind: 'authorization',
      sentence: `${at} wants authorization (HTTP ${status}); give it with --header 'Authorization: Bearer ...'.`,
    }
  }
  if (status >= 300 && status < 400) {
    return { kind: 'not-mcp', sentence: `${at} redirects (HTTP ${status}); give the URL that it redirects to.` }
  }
  const type = mediaType(http.contentType)
  const what =
    http.ended === 'failed' ? `a body that does not end properly (${http.error})` : type === '' ? 'no content' : type
  return {
    kind: 'not-mcp',
    sentence: `${at} answers initialize with HTTP ${status} and ${what} instead of an MCP message; check that the URL is the MCP endpoint.`,
  }
}

function noneTrouble(
  at: string,
  opening: Extract<Reply, { kind: 'none' }>,
  heardAnything: boolean,
  handshakeMs: number,
): Trouble {
  if (opening.why === 'timeout') {
    const more = heardAnything ? 'wrote something else but no answer to initialize' : 'did not answer initialize'
    return {
      kind: 'silent',
      sentence: `${at} ${more} within ${handshakeMs} ms; raise --timeout if it starts slowly, or check that it speaks MCP here.`,
    }
  }
  if (opening.why === 'unparsable') {
    return {
      kind: 'malformed',
      sentence: `${at} answers initialize with something that cannot be read; the suites say what is wrong with it.`,
    }
  }
  const detail = opening.detail ?? 'the connection ended'
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(detail)) {
    return {
      kind: 'unreachable',
      sentence: `${at} cannot be reached (${detail}); start the server first, or let --start do it.`,
    }
  }
  return {
    kind: 'died',
    sentence: `${at} ended before it answered initialize: ${detail}${heardAnything ? '' : ', without a word on stdout'}.`,
  }
}
