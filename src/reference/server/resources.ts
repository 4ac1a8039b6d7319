/** The resources of the reference server: what is fixed, what a template describes, and what changes. */
import { isUri } from '../../spec/content.ts'
import { at, codes, isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { SessionView } from '../views.ts'
import type { Answer } from './answer.ts'
import { list } from './lists.ts'
import { PIXEL } from './media.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Feature, Tools } from './tools.ts'

interface Resource {
  definition: JsonObject & { uri: string }
  content(state: State): { text: string } | { blob: string }
}

/** What a session knows besides the fixed things. */
interface State {
  subscribed: Set<Json>
  /** how often the watched resource was changed */
  changes: number
  /** the resource that comes and goes is there */
  extended: boolean
}

const states = new WeakMap<SessionView, State>()

function stateOf({ session }: Tools): State {
  const known = states.get(session) ?? { subscribed: new Set(), changes: 0, extended: false }
  states.set(session, known)
  return known
}

const WATCHED = 'test://watched-resource'
const STATIC_TEXT = 'This is the content of the static text resource.'
const ALL_BYTES = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte))

const fixed: Resource[] = [
  {
    definition: {
      uri: 'test://static-text',
      name: 'static-text',
      title: 'A text',
      description: 'Always the same text',
      mimeType: 'text/plain',
      size: Buffer.byteLength(STATIC_TEXT),
      annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2025-11-25T12:00:00Z' },
    },
    content: () => ({ text: STATIC_TEXT }),
  },
  {
    definition: { uri: 'test://static-binary', name: 'static-binary', title: 'A picture', mimeType: 'image/png' },
    content: () => ({ blob: PIXEL }),
  },
  {
    definition: {
      uri: 'test://all-bytes',
      name: 'all-bytes',
      title: 'Every byte from 0 to 255',
      mimeType: 'application/octet-stream',
      size: ALL_BYTES.length,
    },
    content: () => ({ blob: ALL_BYTES.toString('base64') }),
  },
  {
    definition: { uri: WATCHED, name: 'watched-resource', title: 'A text that changes', mimeType: 'text/plain' },
    content: ({ changes }) => ({ text: `Watched resource content, changed ${changes} times` }),
  },
]

const dynamic: Resource = {
  definition: { uri: 'test://dynamic-resource', name: 'dynamic-resource' },
  content: () => ({ text: 'This resource was added while the session ran.' }),
}

export const templates: readonly JsonObject[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    title: 'Data of an id',
    description: 'Says which id it was read for',
    mimeType: 'application/json',
  },
  { uriTemplate: 'test://failing/{id}', name: 'failing', title: 'A resource whose reading fails unexpectedly' },
]

const listed = (state: State): Resource[] => (state.extended ? [...fixed, dynamic] : fixed)

/** What is behind a URI; undefined where nothing is. */
function contentOf(uri: string, state: State): JsonObject | undefined {
  const found = listed(state).find(({ definition }) => definition.uri === uri)
  if (found !== undefined) {
    const { mimeType } = found.definition
    return { uri, ...(mimeType === undefined ? {} : { mimeType }), ...found.content(state) }
  }
  if (/^test:\/\/failing\/[^/]+$/.test(uri)) throw new Error('This resource intentionally fails for testing')
  const [, id] = /^test:\/\/template\/([^/?#]+)\/data$/.exec(uri) ?? []
  if (id === undefined) return undefined
  const value = decodeURIComponent(id)
  const data = { id: value, templateTest: true, data: `Data for ID: ${value}` }
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
}

const withUri =
  (serve: (uri: string, state: State) => Answer | undefined): Feature =>
  (params, tools) => {
    const { uri } = params
    if (!isUri(uri)) return { error: { code: codes.invalidParams, message: 'uri must be an absolute URI' } }
    return (
      serve(uri, stateOf(tools)) ?? {
        error: { code: codes.resourceNotFound, message: 'Resource not found', data: { uri } },
      }
    )
  }

export const resourceFeatures: Record<string, { capability: string; run: Feature }> = {
  'resources/list': {
    capability: 'resources',
    run: (params, tools) => {
      const definitions = listed(stateOf(tools)).map(({ definition }) => definition)
      return list('resources', definitions)(params, tools)
    },
  },
  'resources/templates/list': { capability: 'resources', run: list('resourceTemplates', templates) },
  'resources/read': {
    capability: 'resources',
    run: withUri((uri, state) => {
      const content = contentOf(uri, state)
      return content === undefined ? undefined : { contents: [content] }
    }),
  },
  'resources/subscribe': {
    capability: 'resources.subscribe',
    run: withUri((uri, state) => {
      if (contentOf(uri, state) === undefined) return undefined
      state.subscribed.add(uri)
      return {}
    }),
  },
  'resources/unsubscribe': {
    capability: 'resources.subscribe',
    run: withUri((uri, { subscribed }) => {
      subscribed.delete(uri)
      return {}
    }),
  },
}

const hints = { annotations: { readOnlyHint: false, destructiveHint: false } }

/** Tools that change what is described above. */
export const resourceTools: Tool[] = [
  tool(
    'test_trigger_resource_update',
    `Changes the content of ${WATCHED}`,
    (_args, tools) => {
      const state = stateOf(tools)
      state.changes += 1
      if (state.subscribed.has(WATCHED)) tools.announce('notifications/resources/updated', { uri: WATCHED })
      return text('the resource has changed')
    },
    undefined,
    hints,
  ),
  tool(
    'test_trigger_resource_change',
    'Adds a resource to the list, or takes it away again',
    (_args, tools) => {
      const state = stateOf(tools)
      state.extended = !state.extended
      const { resources } = tools.policies.capabilities
      if (isObject(resources) && at(resources, 'listChanged') === true)
        tools.announce('notifications/resources/list_changed')
      return text('the list of resources has changed')
    },
    undefined,
    hints,
  ),
]
