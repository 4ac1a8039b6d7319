/** What the client declares, and what it may ask of a server by what that one declares (basic/lifecycle#capability-negotiation). */

import { isRevision } from '../../spec/revision.ts'
import { definitionOf } from '../../spec/schemas.ts'
import { at, isObject, type JsonObject } from '../../wire/json-rpc.ts'
import type { Settings } from './settings.ts'

/** From that revision on: older servers are not told of what they cannot know. */
const ELICITATION_SINCE = '2025-06-18'
const MODES_SINCE = '2025-11-25'
const TASKS_SINCE = '2025-11-25'
const SAMPLING_TOOLS_SINCE = '2025-11-25'
const COMPLETIONS_SINCE = '2025-03-26'

export function declaredCapabilities(settings: Settings, version: string): JsonObject {
  const { roots, sampling, tasks } = settings
  const elicitation = elicitationCapability(settings, version)
  return {
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
    ...(sampling === undefined
      ? {}
      : { sampling: sampling.tools && version >= SAMPLING_TOOLS_SINCE ? { tools: {} } : {} }),
    ...(elicitation === undefined ? {} : { elicitation }),
    ...(tasks && version >= TASKS_SINCE
      ? {
          tasks: {
            list: {},
            cancel: {},
            requests: {
              ...(sampling === undefined ? {} : { sampling: { createMessage: {} } }),
              ...(elicitation === undefined ? {} : { elicitation: { create: {} } }),
            },
          },
        }
      : {}),
  }
}

function elicitationCapability({ elicitation }: Settings, version: string): JsonObject | undefined {
  if (elicitation === undefined || version < ELICITATION_SINCE) return undefined
  const { form, url, declare } = elicitation
  // There were no modes before: whoever has no forms has nothing to declare.
  if (version < MODES_SINCE) return form ? {} : undefined
  if (declare === 'empty') return {}
  return { ...(form ? { form: {} } : {}), ...(url ? { url: {} } : {}) }
}

/** The requests of a server that need a capability of the client. */
const SERVED_BY: Record<string, string[]> = {
  'roots/list': ['roots'],
  'sampling/createMessage': ['sampling'],
  'elicitation/create': ['elicitation'],
  'tasks/get': ['tasks'],
  'tasks/result': ['tasks'],
  'tasks/list': ['tasks', 'list'],
  'tasks/cancel': ['tasks', 'cancel'],
}

/** Whether a request of the server is served, by what the client has declared. */
export function servesDeclared(method: string, declared: JsonObject): boolean {
  const path = Object.hasOwn(SERVED_BY, method) ? SERVED_BY[method] : undefined
  return method === 'ping' || (path !== undefined && isObject(at(declared, ...path)))
}

/** The capability behind a method of the server. */
function neededFor(method: string, version: string): string[] | undefined {
  if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return ['resources', 'subscribe']
  if (method === 'tasks/list' || method === 'tasks/cancel') return method.split('/')
  const [area = ''] = method.split('/')
  if (area === 'completion') return version < COMPLETIONS_SINCE ? undefined : ['completions']
  return ['tools', 'prompts', 'resources', 'logging', 'tasks'].includes(area) ? [area] : undefined
}

/** Why a request is not sent to this server; undefined where it may be. */
export function undeclaredBy(capabilities: JsonObject, method: string, version: string): string | undefined {
  if (method.startsWith('tasks/') && version < TASKS_SINCE) return `revision ${version} has no tasks`
  const path = neededFor(method, version)
  if (path === undefined) return undefined
  const declared = at(capabilities, ...path)
  return declared === true || isObject(declared) ? undefined : `the server does not declare ${path.join('.')}`
}

/** Whether a client says such a thing at all: what is no method of the protocol is an extension. */
export function isOfClient(method: string, part: 'request' | 'notification', version: string): boolean {
  const revision = isRevision(version) ? version : undefined
  if (revision === undefined || definitionOf(revision, 'client', method, part) !== undefined) return true
  return definitionOf(revision, 'server', method, part) === undefined
}
