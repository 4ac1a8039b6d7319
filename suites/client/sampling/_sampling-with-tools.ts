/** A client whose model may use tools is asked in right and wrong ways; what the model says is left to the client. */
import { type Answers, askInTurn, isObject, type JsonObject, script } from '../../../src/suite/client.ts'
import { PROMPT } from '../_plain-questions.ts'
import { CONVERSATIONS, withTool } from './_tool-questions.ts'

export type WithTools = Answers<
  'plain' | 'tool' | 'whole' | 'none' | 'missing' | 'mixed' | 'noData' | 'unknownType' | 'alive'
>

const prompt = (content: JsonObject): JsonObject => ({ ...PROMPT, messages: [{ role: 'user', content }] })

const TOOLS_SINCE = '2025-11-25'

export const WITH_TOOLS = script({
  drive: {
    name: 'sampling-with-tools',
    client: { sampling: { tools: true, answer: {} } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): WithTools => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { capabilities, version } = call.conversation
      const { sampling } = capabilities
      const ask = (params: JsonObject, odd = false) => ({ method: 'sampling/createMessage', params, odd })
      // Without this capability these are judged in another script, by a client that is told not to declare it.
      const tools = isObject(sampling) && isObject(sampling.tools) && version >= TOOLS_SINCE
      if (!isObject(sampling)) return { result: { tools: [] } }
      await askInTurn(call, notes, {
        plain: ask(PROMPT),
        ...(tools
          ? {
              tool: ask(withTool()),
              whole: ask(withTool('auto', CONVERSATIONS.whole)),
              none: ask(withTool('none', CONVERSATIONS.whole)),
              missing: ask(withTool('auto', CONVERSATIONS.missing), true),
              mixed: ask(withTool('auto', CONVERSATIONS.mixed), true),
            }
          : {}),
        noData: ask(prompt({ type: 'image', mimeType: 'image/png' }), true),
        unknownType: ask(prompt({ type: 'smell', data: 'AAAA' }), true),
        alive: { method: 'ping' },
      })
      return { result: { tools: [] } }
    })
  },
})
