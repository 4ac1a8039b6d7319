import {
  at,
  base64Fit,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type MonitorContext,
  monitor,
  type Revision,
  tampers,
} from '../../src/suite/monitor.ts'

const ON = 'client/sampling/plain'
const WITH_TOOLS = 'client/sampling/tool-rounds'

/** From these on: answers of several blocks and uses of tools, and sound. */
const BLOCKS_SINCE = '2025-11-25'
const AUDIO_SINCE = '2025-03-26'

type Fit = 'holds' | 'bends' | 'breaks'

/** What a model of the client says (client/sampling#creating-messages). */
export default monitor({
  title: 'An answer of the model has a role, a model and content that was asked for',
  sides: ['client'],
  claims: {
    shape: 'sampling.result.shape',
    types: 'sampling.result.content-types',
    roles: 'sampling.messages.roles',
    reason: 'sampling.result.tool-use-stop-reason',
    ids: 'sampling.result.tool-use-ids-unique',
  },
  start: context => ({ context, resultsIn: followResults('sampling/createMessage') }),
  *see({ context, resultsIn }, frame) {
    for (const { params, result } of resultsIn(frame)) {
      // Asked for as a task: this is the task, and what the model says comes later.
      if (at(params, 'task') !== undefined && isObject(at(result, 'task'))) continue
      const revision = context.revision()
      yield judge(
        'shape',
        shapeFit(result, revision),
        'role, content, model, and stopReason as a text or absent',
        frame,
      )
      const content = at(result, 'content')
      const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content]
      const tools = at(params, 'tools')
      const mayUse = revision >= BLOCKS_SINCE && Array.isArray(tools) && tools.length > 0
      for (const block of blocks) {
        const expected = `text, image${revision >= AUDIO_SINCE ? ', audio' : ''}${mayUse ? ' or tool_use' : ''} with its members`
        yield judge('types', blockFit(block, mayUse, revision), expected, frame)
      }
      yield judge(
        'roles',
        fitsRole(at(result, 'role'), blocks),
        'user or assistant; tools used by the assistant',
        frame,
      )
      const uses = blocks.filter(isUse)
      if (uses.length === 0) continue
      const reason = at(result, 'stopReason')
      const fit = reason === 'toolUse' ? 'holds' : reason === undefined ? 'bends' : 'breaks'
      yield judge('reason', fit, 'the stopReason toolUse', frame)
      const ids = uses.map(use => at(use, 'id'))
      yield judge('ids', new Set(ids).size === ids.length, 'another id for each use of a tool', frame)
    }
  },
  defects: [
    { named: 'no model', ...saying('shape', { model: undefined }) },
    { named: 'no content', ...saying('shape', { content: undefined }) },
    { named: 'a text as content', ...saying('shape', { content: 'Hello.' }), also: ['types'] },
    { named: 'null as stopReason', ...saying('shape', { stopReason: null }) },
    { named: 'speaks as the user', ...saying('shape', { role: 'user' }) },
    { named: 'a list of blocks under 2025-06-18', spec: '2025-06-18', ...saying('shape', { content: [block()] }) },
    { named: 'a text without text', ...saying('types', { content: { type: 'text' } }) },
    { named: 'an image without type', ...saying('types', { content: { type: 'image', data: 'AAAA' } }) },
    {
      named: 'sound that is no base64',
      ...saying('types', { content: { type: 'audio', data: '***', mimeType: 'audio/wav' } }),
    },
    {
      named: 'a link to a resource',
      ...saying('types', { content: { type: 'resource_link', uri: 'a:b', name: 'a' } }),
    },
    {
      named: 'uses a tool that nobody offers',
      ...saying('types', { content: { type: 'tool_use', id: '1', name: 'get_weather', input: {} } }),
      also: ['reason'],
    },
    { named: 'uses a tool without input', ...using('types', ({ input: _, ...use }) => use) },
    { named: 'speaks as the system', ...saying('roles', { role: 'system' }), also: ['shape'] },
    {
      named: 'answers for the tool',
      ...saying('roles', { content: [{ type: 'tool_result', toolUseId: '1', content: [] }] }),
    },
    {
      named: 'just ends',
      on: WITH_TOOLS,
      breaks: 'reason',
      tamper: tampers.result('sampling/createMessage', result => ({ ...result, stopReason: 'endTurn' })),
    },
    { named: 'the same id for all', ...using('ids', use => ({ ...use, id: 'use' })) },
  ],
  variants: [
    { named: 'a plain answer', on: ON, shows: ['shape', 'types', 'roles'], replace: {} },
    { named: 'uses of tools', on: WITH_TOOLS, shows: ['shape', 'types', 'roles', 'reason', 'ids'], replace: {} },
    {
      named: 'a picture, and a reason of its own',
      on: ON,
      shows: ['shape', 'types'],
      tamper: saying('shape', {
        content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        stopReason: 'tired',
      }).tamper,
    },
    {
      named: 'several blocks and no reason',
      on: ON,
      shows: ['shape', 'types'],
      tamper: saying('shape', { content: [block(), block()], stopReason: undefined }).tamper,
    },
  ],
})

function block(): JsonObject {
  return { type: 'text', text: 'Hello.' }
}

const isUse = (one: Json): boolean => at(one, 'type') === 'tool_use'

function shapeFit(result: Json, revision: ReturnType<MonitorContext['revision']>): Fit {
  const { role, content, model, stopReason } = isObject(result) ? result : ({} as JsonObject)
  const isContent = isObject(content) || (Array.isArray(content) && revision >= BLOCKS_SINCE)
  const isReason = stopReason === undefined || typeof stopReason === 'string'
  if (!['user', 'assistant'].includes(String(role)) || !isContent || typeof model !== 'string' || !isReason)
    return 'breaks'
  return role === 'user' ? 'bends' : 'holds'
}

function blockFit(one: Json, mayUse: boolean, revision: Revision): Fit {
  const { type, text, data, mimeType, id, name, input } = isObject(one) ? one : ({} as JsonObject)
  if (type === 'text') return typeof text === 'string' ? 'holds' : 'breaks'
  if (type === 'image' || (type === 'audio' && revision >= AUDIO_SINCE))
    return typeof mimeType === 'string' ? base64Fit(data) : 'breaks'
  if (type === 'tool_use')
    return mayUse && typeof id === 'string' && typeof name === 'string' && isObject(input) ? 'holds' : 'breaks'
  // The results of tools are a matter of roles.
  return type === 'tool_result' && revision >= BLOCKS_SINCE ? 'holds' : 'breaks'
}

function fitsRole(role: Json | undefined, blocks: Json[]): boolean {
  const types = blocks.map(one => at(one, 'type'))
  if (role === 'user') return !types.includes('tool_use')
  return role === 'assistant' && !types.includes('tool_result')
}

function saying<C extends string>(breaks: C, change: JsonObject) {
  return {
    breaks,
    on: ON,
    tamper: tampers.result('sampling/createMessage', result => ({ ...result, ...change })),
  }
}

/** Rewrites the uses of tools, where there are some. */
function using<C extends string>(breaks: C, change: (use: JsonObject) => JsonObject) {
  return {
    breaks,
    on: WITH_TOOLS,
    tamper: tampers.result('sampling/createMessage', result => ({
      ...result,
      content: Array.isArray(result.content)
        ? result.content.map(one => (isObject(one) && isUse(one) ? change(one) : one))
        : (result.content ?? null),
    })),
  }
}
