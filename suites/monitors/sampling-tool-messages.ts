import {
  askedIn,
  at,
  instanceProblems,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  tampers,
} from '../../src/suite/monitor.ts'

/** How tool uses and their results follow one another (client/sampling#message-content-constraints). */
export default monitor({
  title: 'In a sampling request each use of a tool is followed by its result, in a message of results only',
  needs: { since: '2025-11-25' },
  claims: {
    only: 'sampling.messages.tool-results-only',
    follows: 'sampling.messages.tool-use-followed-by-results',
    answered: 'sampling.messages.each-tool-use-answered',
    matches: 'sampling.messages.tool-result-id-matches',
    conforms: 'sampling.messages.result-conforms-to-output-schema',
  },
  start: () => undefined,
  *see(_state, frame) {
    for (const { messages, tools } of askedIn(frame, 'sampling/createMessage')) {
      const list = Array.isArray(messages) ? messages : []
      const uses = new Map<Json | undefined, Json>()
      for (const [index, message] of list.entries()) {
        const results = blocksOf(message).filter(isResult)
        if (results.length > 0)
          yield judge(
            'only',
            results.length === blocksOf(message).length,
            'tool results and nothing else',
            frame,
            'unasked',
          )
        for (const result of results) {
          const use = uses.get(at(result, 'toolUseId'))
          yield judge('matches', use !== undefined, 'a toolUseId of a tool use before it', frame)
          const schema = at(toolOf(tools, use), 'outputSchema')
          const data = at(result, 'structuredContent')
          if (schema === undefined || data === undefined || at(result, 'isError') === true) continue
          yield judge(
            'conforms',
            instanceProblems(schema, data) === undefined,
            'what the outputSchema describes',
            frame,
          )
        }
        const used = blocksOf(message).filter(block => at(block, 'type') === 'tool_use')
        if (used.length === 0) continue
        for (const use of used) uses.set(at(use, 'id'), use)
        const next = list[index + 1]
        const replies = blocksOf(next)
        const isAnswered = replies.length > 0 && replies.every(isResult)
        const direct = isAnswered && at(next, 'role') === 'user'
        const expected = 'a user message of tool results right behind the tool uses'
        yield judge('follows', direct, expected, frame, isAnswered ? 'wrong-value' : 'wrong-order')
        const ids = replies.map(block => at(block, 'toolUseId'))
        const complete = used.every(use => ids.includes(at(use, 'id') ?? null))
        yield judge('answered', complete, 'a result for each tool use', frame, 'missing')
      }
    }
  },
  defects: [
    {
      named: 'a text beside the results',
      kind: 'unasked',
      also: ['follows'],
      ...last('only', blocks => [...blocks, WORDS]),
    },
    { named: 'a text instead of results', kind: 'wrong-order', also: ['answered'], ...last('follows', () => [WORDS]) },
    {
      named: 'the results come from the assistant',
      kind: 'wrong-value',
      ...last('follows', blocks => blocks, 'assistant'),
    },
    { named: 'a result is missing', kind: 'missing', ...last('answered', blocks => blocks.slice(1)) },
    {
      named: 'a result of something else',
      kind: 'wrong-value',
      ...last('matches', ([first, ...more]) => [...more, first ?? null, { ...(first as object), toolUseId: 'use-9' }]),
    },
    { named: 'results that do not fit', kind: 'wrong-value', ...last('conforms', structured) },
  ],
  variants: [
    {
      named: 'two results in one message',
      on: 'server/sampling/with-tools',
      shows: ['only', 'follows', 'answered', 'matches', 'conforms'],
      replace: {},
    },
    {
      named: 'the results in another order',
      on: 'server/sampling/with-tools',
      tamper: changed(blocks => blocks.toReversed()),
    },
  ],
})

const WORDS = { type: 'text', text: 'The results' }

function blocksOf(message: Json | undefined): Json[] {
  const content = at(message, 'content')
  return Array.isArray(content) ? content : content === undefined ? [] : [content]
}

const isResult = (block: Json): boolean => at(block, 'type') === 'tool_result'

const toolOf = (tools: Json | undefined, use: Json | undefined): Json | undefined =>
  Array.isArray(tools) ? tools.find(tool => at(tool, 'name') === at(use, 'name')) : undefined

function structured(blocks: Json[]): Json[] {
  return blocks.map(block => ({ ...(block as object), structuredContent: { degrees: 'warm' } }))
}

/** Rewrites the last message of a request that has more than one. */
function changed(change: (blocks: Json[]) => Json[], role = 'user') {
  return tampers.message(message => {
    const messages = at(message, 'params', 'messages')
    if (!Array.isArray(messages) || messages.length < 2 || !isObject(message.params)) return message
    const final: JsonObject = { role, content: change(blocksOf(messages.at(-1))) }
    return { ...message, params: { ...message.params, messages: [...messages.slice(0, -1), final] } }
  })
}

function last<C extends string>(breaks: C, change: (blocks: Json[]) => Json[], role = 'user') {
  return { breaks, on: 'server/sampling/with-tools', tamper: changed(change, role) }
}
