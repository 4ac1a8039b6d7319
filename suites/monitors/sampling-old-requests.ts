import { askedIn, at, isObject, type Json, judge, monitor, tampers } from '../../src/suite/monitor.ts'

const NEW = new Set<unknown>(['tool_use', 'tool_result'])

/** Lists of blocks and tools in the conversation came with 2025-11-25. */
export default monitor({
  title: 'Up to 2025-06-18 a sampling message has one block, and no tools are used in it',
  needs: { until: '2025-06-18' },
  claims: { single: 'sampling.request.content-single-before-2025-11-25' },
  start: () => undefined,
  *see(_state, frame) {
    for (const { messages } of askedIn(frame, 'sampling/createMessage')) {
      for (const message of Array.isArray(messages) ? messages : []) {
        const content = at(message, 'content')
        const single = isObject(content) && !NEW.has(content.type)
        const kind = isObject(content) ? 'wrong-value' : 'wrong-type'
        yield judge('single', single, 'one text, image or audio as content', frame, kind)
      }
    }
  },
  defects: [
    {
      named: 'sends a list of blocks',
      breaks: 'single',
      kind: 'wrong-type',
      ...asking([{ type: 'text', text: 'hello' }]),
    },
    {
      named: 'sends a tool use',
      breaks: 'single',
      kind: 'wrong-value',
      ...asking({ type: 'tool_use', id: '1', name: 'get_weather', input: {} }),
    },
  ],
  variants: [{ named: 'one text', shows: ['single'], ...asking({ type: 'text', text: 'hello' }) }],
})

function asking(content: Json) {
  return {
    on: 'server/sampling/plain',
    tamper: tampers.message(message =>
      message.method === 'sampling/createMessage'
        ? { ...message, params: { messages: [{ role: 'user', content }], maxTokens: 100 } }
        : message,
    ),
  }
}
