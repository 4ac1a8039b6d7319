import {
  at,
  base64Fit,
  type Frame,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  tampers,
} from '../../src/suite/monitor.ts'

const ON = 'client/sampling/plain'
const WITH_TOOLS = 'client/sampling/tool-rounds'

/** From this on: uses of tools. */
const TOOLS_SINCE = '2025-11-25'

/** What a model of the client says (client/sampling#creating-messages). Types are a matter of monitors/schema. */
export default monitor({
  title: 'An answer of the model is said by the assistant, in content that was asked for',
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
      const role = at(result, 'role')
      if (role === 'user' || role === 'assistant')
        yield judge('shape', role === 'user' ? 'bends' : 'holds', 'an answer of the assistant', frame)
      const content = at(result, 'content')
      const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content]
      const tools = at(params, 'tools')
      const mayUse = context.revision() >= TOOLS_SINCE && Array.isArray(tools) && tools.length > 0
      for (const block of blocks) yield* judgeBlock(block, mayUse, frame)
      yield judge('roles', fitsRole(role, blocks), 'user or assistant; tools used by the assistant', frame)
      const uses = blocks.filter(isUse)
      if (uses.length === 0) continue
      const reason = at(result, 'stopReason')
      const fit = reason === 'toolUse' ? 'holds' : reason === undefined ? 'bends' : 'breaks'
      const absence = reason === undefined ? 'missing' : 'wrong-value'
      yield judge('reason', fit, 'the stopReason toolUse', frame, absence)
      const ids = uses.map(use => at(use, 'id'))
      yield judge('ids', new Set(ids).size === ids.length, 'another id for each use of a tool', frame, 'duplicate')
    }
  },
  defects: [
    { named: 'speaks as the user', kind: 'wrong-value', verdict: 'warn', ...saying('shape', { role: 'user' }) },
    {
      named: 'sound that is no base64',
      kind: 'malformed',
      ...saying('types', { content: { type: 'audio', data: '***', mimeType: 'audio/wav' } }),
    },
    {
      named: 'uses a tool that nobody offers',
      kind: 'unasked',
      ...saying('types', { content: { type: 'tool_use', id: '1', name: 'get_weather', input: {} } }),
      also: ['reason'],
    },
    { named: 'speaks as the system', kind: 'wrong-value', ...saying('roles', { role: 'system' }) },
    {
      named: 'answers for the tool',
      kind: 'wrong-value',
      ...saying('roles', { content: [{ type: 'tool_result', toolUseId: '1', content: [] }] }),
    },
    {
      named: 'just ends',
      on: WITH_TOOLS,
      breaks: 'reason',
      kind: 'wrong-value',
      tamper: tampers.result('sampling/createMessage', result => ({ ...result, stopReason: 'endTurn' })),
    },
    { named: 'the same id for all', kind: 'duplicate', ...using('ids', use => ({ ...use, id: 'use' })) },
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

/** Data that can be decoded, and tools only where some were offered. What a block has is a matter of its schema. */
function* judgeBlock(block: Json, mayUse: boolean, frame: Frame) {
  const { type, data } = isObject(block) ? block : ({} as JsonObject)
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    yield judge('types', base64Fit(data), 'data in base64', frame, { kind: 'malformed', subject: type })
  else if (isUse(block))
    yield judge('types', mayUse, 'no use of a tool where none is offered', frame, {
      kind: 'unasked',
      subject: 'tool_use',
    })
  else if (type === 'text') yield judge('types', true, 'a text', frame)
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
