/** A call of a tool, with all that a client has to mind: what the tool allows, what it said, what the user has to do first. */
import { at, isObject, type JsonObject } from '../../wire/json-rpc.ts'
import { callAsTask } from './call-task.ts'
import type { Client } from './client.ts'
import { consentToDemanded } from './elicitation.ts'
import { failed, type Reply } from './reply.ts'
import type { RequestOptions } from './requests.ts'

/** The user has to open a page first (client/elicitation#url-elicitation-required-error). */
const URL_ELICITATION_REQUIRED = -32042

export interface CallOptions extends RequestOptions {
  task?: JsonObject
}

export async function callTool(client: Client, given: JsonObject, options: CallOptions): Promise<Reply> {
  const began = client.clock.now()
  const reply = await callOnce(client, given, options)
  const { elicitation: rules } = client.policies
  const { elicitation: settings } = client.settings
  const declared = at(client.policies.capabilities(client.settings, client.session.version), 'elicitation')
  const mayAsk = settings !== undefined && rules.modes(declared, client.session.version).includes('url')
  if (reply.kind !== 'error' || reply.code !== URL_ELICITATION_REQUIRED || !mayAsk) return reply
  const agreed = consentToDemanded({ ...client.user(), settings }, reply.data)
  if (agreed.length === 0) return reply
  const limit = (options.timeoutMs ?? client.policies.timeoutMs) - (client.clock.now() - began)
  const isOver = client.interactions.over(agreed).then(() => true)
  const waitMs = Math.max(0, Math.min(rules.completionWaitMs, limit))
  // Without a sign that it is over, the user may try again.
  return (await client.clock.within(isOver, waitMs)) === true ? callOnce(client, given, options) : reply
}

async function callOnce(client: Client, given: JsonObject, options: CallOptions): Promise<Reply> {
  const { policies } = client
  const { taskCalls } = policies
  const declared = taskCalls.declared('tools/call', client.session.serverCapabilities)
  if (client.tools === undefined && declared && taskCalls.looksUp) await client.list('tools/list', {})
  const listed = [...(client.tools?.keys() ?? [])]
  const name = policies.toolName(given.name, listed)
  const params = name === given.name ? given : { ...given, name }
  const tool = client.tools?.get(String(given.name))
  const wish = { wanted: options.task !== undefined, taskSupport: at(tool, 'execution', 'taskSupport'), declared }
  const reply = taskCalls.asTask(wish)
    ? await callAsTask(client, {
        params,
        task: isObject(options.task) ? options.task : {},
        timeoutMs: options.timeoutMs ?? policies.timeoutMs,
        cancelAfterMs: options.cancelAfterMs,
        progress: options.progress === true,
      })
    : await client.request('tools/call', params, options)
  return checked(client, 'tools/call', reply, tool)
}

/** A result that cannot be used is no result. */
export function checked(client: Client, method: string, reply: Reply, tool?: JsonObject): Reply {
  if (reply.kind !== 'result') return reply
  const problem = client.policies.resultProblem({
    method,
    result: reply.result,
    tool,
    version: client.session.version,
  })
  return problem === undefined ? reply : failed('invalid', `the result cannot be used: ${problem}`)
}
