/** The opening of a session: both sides say what they are and can, and the client says that it is ready (basic/lifecycle#initialization). */
import { at, isObject, type Json, type JsonObject, notification } from '../../wire/json-rpc.ts'
import type { Clock } from './clock.ts'
import type { Link } from './link.ts'
import type { ClientPolicies, Moment } from './policies.ts'
import { failed, type Reply } from './reply.ts'
import type { Requests } from './requests.ts'
import type { Settings } from './settings.ts'

/** What both sides have said of themselves; before the handshake, what the client offers. */
export interface Agreement {
  version: string
  /** by the client, as far as that version knows it */
  declared: JsonObject
  serverCapabilities: JsonObject
  serverInfo: Json | undefined
}

export interface Offering {
  policies: ClientPolicies
  settings: Settings
  /** which revision the user wants tested */
  tested: string | undefined
}

export function offer({ policies, settings, tested }: Offering): Agreement {
  const version = policies.protocolVersion(tested)
  return { version, declared: policies.capabilities(settings, version), serverCapabilities: {}, serverInfo: undefined }
}

export interface Speaking {
  request: Requests['request']
  send(message: JsonObject): Promise<void>
}

/** Says what the policies want said at that moment, and waits for nothing. */
export function greet(policies: ClientPolicies, { request, send }: Speaking, when: Moment): void {
  for (const { method, params, isNotification } of policies.greets(when)) {
    if (isNotification === true) void send(notification(method, params))
    else void request(method, params)
  }
}

/** The reply is that to `initialize`, or why it cannot be used. */
export async function shakeHands(
  context: Offering & { clock: Clock },
  agreement: Agreement,
  speaking: Speaking,
  link: Pick<Link, 'agreed' | 'listen'>,
): Promise<Reply> {
  const { policies, clock, settings } = context
  const { version: offered, declared } = agreement
  greet(policies, speaking, 'before initialize')
  const introduced = speaking.request(
    'initialize',
    { protocolVersion: offered, capabilities: declared, clientInfo: policies.clientInfo(offered) },
    { timeoutMs: policies.initializeTimeoutMs },
  )
  greet(policies, speaking, 'initialize sent')
  const reply = await introduced
  if (reply.kind !== 'result') return reply
  const { protocolVersion, capabilities } = reply.result
  if (!policies.acceptsVersion(protocolVersion, offered))
    return failed('invalid', `the server wants to speak ${JSON.stringify(protocolVersion) ?? 'nothing'}`)
  agreement.version = String(protocolVersion)
  agreement.declared = policies.capabilities(settings, agreement.version)
  agreement.serverCapabilities = isObject(capabilities) ? capabilities : {}
  agreement.serverInfo = at(reply.result, 'serverInfo')
  link.agreed(agreement.version)
  // Nothing else before it has arrived: messages of different requests may overtake each other.
  if (policies.announcesReady)
    await clock.within(speaking.send(notification('notifications/initialized')), policies.timeoutMs)
  link.listen()
  greet(policies, speaking, 'initialized')
  return reply
}
