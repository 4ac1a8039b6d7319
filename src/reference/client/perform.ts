/** One step of a plan, done with the client; what became of it as the user of the client sees it. */
import { isObject, type JsonObject, notification } from '../../wire/json-rpc.ts'
import { callTool, checked } from './call.ts'
import type { Client } from './client.ts'
import { LISTS } from './pages.ts'
import { failed, type Reply } from './reply.ts'
import type { Step } from './steps.ts'

const done: Reply = { kind: 'result', result: {} }

export async function perform(client: Client, step: Step): Promise<Reply> {
  if (client.isDown) return failed('lost', 'the connection is lost')
  switch (step.does) {
    case 'request':
      return ask(client, step)
    case 'notify':
      return tell(client, step)
    case 'pause':
      await client.clock.sleep(step.ms)
      return done
    case 'set roots':
      return changeRoots(client, step)
    case 'reconnect':
      return client.reconnect()
    default:
      return failed('unsupported', 'there is no such step')
  }
}

async function ask(client: Client, step: Extract<Step, { does: 'request' }>): Promise<Reply> {
  const { policies, session } = client
  const { method, options } = step
  if (!policies.speaks(method, 'request', session.version))
    return failed('unsupported', `a client does not ask ${method}`)
  const undeclared = policies.undeclared(session.serverCapabilities, method, session.version)
  if (undeclared !== undefined) return failed('refused', undeclared)
  const params = typeof step.params === 'function' ? step.params({ tools: client.tools ?? new Map() }) : step.params
  if (method === 'tools/call') return callTool(client, params, options)
  if (Object.hasOwn(LISTS, method)) return (await client.list(method, params, options)).reply
  if (method === 'resources/unsubscribe' && !policies.unsubscribes(params.uri, client.subscribed))
    return failed('refused', 'this resource was not subscribed')
  const reply = await client.request(method, orNone(params), options)
  if (reply.kind === 'result' && method === 'resources/subscribe') client.subscribed.add(params.uri)
  if (reply.kind === 'result' && method === 'resources/unsubscribe') client.subscribed.delete(params.uri)
  return checked(client, method, reply)
}

/** Params without members are left out: a ping has none. */
const orNone = (params: JsonObject): JsonObject | undefined => (Object.keys(params).length === 0 ? undefined : params)

async function tell(client: Client, { method, params }: Extract<Step, { does: 'notify' }>): Promise<Reply> {
  const { policies, session, settings } = client
  if (!policies.speaks(method, 'notification', session.version))
    return failed('unsupported', `a client does not say ${method}`)
  const declared = policies.capabilities(settings, session.version)
  if (method === 'notifications/roots/list_changed' && !announcesRoots(declared))
    return failed('refused', 'the client has not declared roots')
  await client.send(notification(method, params))
  return done
}

async function changeRoots(client: Client, { roots }: Extract<Step, { does: 'set roots' }>): Promise<Reply> {
  const declared = client.policies.capabilities(client.settings, client.session.version)
  if (!announcesRoots(declared)) return failed('refused', 'the client has not declared roots')
  await client.setRoots(roots)
  return done
}

const announcesRoots = ({ roots }: JsonObject): boolean => isObject(roots) && roots.listChanged === true
