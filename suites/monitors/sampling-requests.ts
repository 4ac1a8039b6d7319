import {
  askedIn,
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

const PRIORITIES = ['costPriority', 'speedPriority', 'intelligencePriority']
const MODES = ['auto', 'required', 'none']

/** What a request to the model consists of (client/sampling#creating-messages). */
export default monitor({
  title: 'Sampling requests have messages of known roles, maxTokens, and preferences within their range',
  claims: {
    shape: 'sampling.request.shape',
    roles: 'sampling.messages.roles',
    priorities: 'sampling.preferences.priorities-range',
    choice: 'sampling.tool-choice.mode-values',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const params of askedIn(frame, 'sampling/createMessage')) {
      const { messages, modelPreferences, toolChoice } = params
      const problem = shapeProblem(params)
      const expected = 'messages with role and content, a number maxTokens, and optional members of their types'
      yield judge('shape', problem?.outcome ?? 'holds', expected, {
        text: problem?.problem ?? 'all of that',
        frames: [frame],
      })
      for (const message of Array.isArray(messages) ? messages : [])
        yield judge(
          'roles',
          fitsRole(message),
          'user or assistant; tool uses by the assistant, results by the user',
          frame,
        )
      for (const name of PRIORITIES) {
        const value = at(modelPreferences, name)
        if (value === undefined) continue
        const within = typeof value === 'number' && value >= 0 && value <= 1
        yield judge('priorities', within, `a ${name} from 0 to 1`, frame)
      }
      const mode = at(toolChoice, 'mode')
      if (toolChoice !== undefined)
        yield judge(
          'choice',
          mode === undefined || MODES.includes(String(mode)),
          `the mode ${MODES.join(', ')}, or none`,
          frame,
        )
    }
  },
  defects: [
    { named: 'no messages', ...asking('shape', { messages: null }) },
    { named: 'a message without content', ...asking('shape', { messages: [{ role: 'user' }] }) },
    {
      named: 'a block without a type',
      ...asking('shape', { messages: [{ role: 'user', content: { text: 'hello' } }] }),
    },
    { named: 'a message without any block', ...asking('shape', { messages: [{ role: 'user', content: [] }] }) },
    { named: 'maxTokens as text', ...asking('shape', { maxTokens: '100' }) },
    { named: 'one stop sequence as text', ...asking('shape', { stopSequences: 'END' }) },
    { named: 'includes the context of somebody', ...asking('shape', { includeContext: 'everybody' }) },
    {
      named: 'a system message',
      ...asking('roles', { messages: [{ role: 'system', content: { type: 'text', text: 'hello' } }] }),
    },
    {
      named: 'a result by the assistant',
      ...asking('roles', {
        messages: [{ role: 'assistant', content: [{ type: 'tool_result', toolUseId: '1', content: [] }] }],
      }),
    },
    { named: 'percentages', ...asking('priorities', { modelPreferences: { costPriority: 80 } }) },
    { named: 'a priority in words', ...asking('priorities', { modelPreferences: { speedPriority: 'high' } }) },
    { named: 'any tool', ...asking('choice', { toolChoice: { mode: 'any' } }) },
  ],
  variants: [
    { named: 'asks with tools', on: 'server/sampling/with-tools', shows: ['shape', 'roles', 'choice'], replace: {} },
    {
      named: 'uses everything there is',
      shows: ['shape', 'roles', 'priorities'],
      ...pick(
        asking('shape', {
          messages: [
            { role: 'assistant', content: { type: 'image', data: '', mimeType: 'image/png' } },
            { role: 'user', content: [{ type: 'text', text: 'hello' }] },
          ],
          modelPreferences: {
            hints: [{ name: 'sonnet' }, {}],
            costPriority: 0,
            speedPriority: 0.5,
            intelligencePriority: 1,
          },
          systemPrompt: 'Be short.',
          temperature: 0.1,
          stopSequences: ['END'],
          metadata: { provider: 'any' },
          includeContext: 'none',
        }),
      ),
    },
  ],
})

/** What the members other than messages and maxTokens are, where they are there. */
const OPTIONAL: Record<string, (value: Json) => boolean> = {
  systemPrompt: value => typeof value === 'string',
  temperature: value => typeof value === 'number',
  stopSequences: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
  modelPreferences: isObject,
  metadata: isObject,
  includeContext: value => ['none', 'thisServer', 'allServers'].includes(String(value)),
  tools: value => Array.isArray(value) && value.every(one => isObject(one) && typeof one.name === 'string'),
  toolChoice: isObject,
}

function shapeProblem(params: JsonObject): { outcome: 'bends' | 'breaks'; problem: string } | undefined {
  const { messages, maxTokens } = params
  if (typeof maxTokens !== 'number') return { outcome: 'breaks', problem: 'no number maxTokens' }
  if (!Array.isArray(messages)) return { outcome: 'breaks', problem: 'no list of messages' }
  if (!messages.every(message => isObject(message) && isContent(message.content)))
    return { outcome: 'breaks', problem: 'a message whose content is no block and no list of blocks' }
  for (const [name, fits] of Object.entries(OPTIONAL)) {
    const value = params[name]
    if (value !== undefined && !fits(value))
      return { outcome: 'breaks', problem: `${name} is ${JSON.stringify(value)}` }
  }
  // The schema has no least number of blocks, but a model cannot make anything of none.
  return messages.some(message => Array.isArray(at(message, 'content')) && blocksOf(message).length === 0)
    ? { outcome: 'bends', problem: 'a message without any block' }
    : undefined
}

const isContent = (content: Json | undefined): boolean =>
  Array.isArray(content) ? content.every(isBlock) : isBlock(content)

const isBlock = (block: Json | undefined): boolean => isObject(block) && typeof block.type === 'string'

const blocksOf = (message: Json): Json[] => {
  const content = at(message, 'content')
  return Array.isArray(content) ? content : content === undefined ? [] : [content]
}

function fitsRole(message: Json): boolean {
  const role = at(message, 'role')
  const types = blocksOf(message).map(block => at(block, 'type'))
  if (role === 'user') return !types.includes('tool_use')
  return role === 'assistant' && !types.includes('tool_result')
}

function asking<C extends string>(breaks: C, change: JsonObject) {
  return {
    breaks,
    on: 'server/sampling/plain',
    tamper: tampers.message(message =>
      message.method === 'sampling/createMessage' && isObject(message.params)
        ? { ...message, params: { ...message.params, ...change } }
        : message,
    ),
  }
}

/** The same change where it is no fault. */
function pick({ on, tamper }: { on: string; tamper: Tamper }) {
  return { on, tamper }
}
