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

/** What a request to the model says (client/sampling#creating-messages). Its shape is a matter of monitors/schema. */
export default monitor({
  title: 'Sampling requests have messages that say something, of known roles, and preferences within their range',
  claims: {
    shape: 'sampling.request.shape',
    roles: 'sampling.messages.roles',
    priorities: 'sampling.preferences.priorities-range',
    choice: 'sampling.tool-choice.mode-values',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const { messages, modelPreferences, toolChoice } of askedIn(frame, 'sampling/createMessage')) {
      for (const message of Array.isArray(messages) ? messages : []) {
        // The schema has no least number of blocks, but a model cannot make anything of none.
        const empty = Array.isArray(at(message, 'content')) && blocksOf(message).length === 0
        yield judge('shape', empty ? 'bends' : 'holds', 'messages with at least one block', frame, 'missing')
        const roles = 'user or assistant; tool uses by the assistant, results by the user'
        yield judge('roles', fitsRole(message), roles, frame)
      }
      for (const name of PRIORITIES) {
        const value = at(modelPreferences, name)
        if (value === undefined) continue
        const within = typeof value === 'number' && value >= 0 && value <= 1
        const kind = typeof value === 'number' ? 'wrong-value' : 'wrong-type'
        yield judge('priorities', within, `a ${name} from 0 to 1`, frame, { kind, subject: name })
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
    {
      named: 'a message without any block',
      kind: 'missing',
      verdict: 'warn',
      ...asking('shape', { messages: [{ role: 'user', content: [] }] }),
    },
    {
      named: 'a system message',
      kind: 'wrong-value',
      ...asking('roles', { messages: [{ role: 'system', content: { type: 'text', text: 'hello' } }] }),
    },
    {
      named: 'a result by the assistant',
      kind: 'wrong-value',
      ...asking('roles', {
        messages: [{ role: 'assistant', content: [{ type: 'tool_result', toolUseId: '1', content: [] }] }],
      }),
    },
    { named: 'percentages', kind: 'wrong-value', ...asking('priorities', { modelPreferences: { costPriority: 80 } }) },
    {
      named: 'a priority in words',
      kind: 'wrong-type',
      ...asking('priorities', { modelPreferences: { speedPriority: 'high' } }),
    },
    { named: 'any tool', kind: 'wrong-value', ...asking('choice', { toolChoice: { mode: 'any' } }) },
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
