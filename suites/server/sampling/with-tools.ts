import {
  argumentsFor,
  at,
  callAsking,
  isObject,
  type Json,
  type JsonObject,
  judge,
  serverScenario,
  succeeded,
  tampers,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

const NAME = 'test_sampling_with_tools'
const META = { 'example.com/cached': 'yes' }

export default serverScenario({
  title: 'When the model uses two tools at once, both results come back in one message of results only',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: {
    parallel: 'sampling.tools.parallel-use',
    answers: 'sampling.security.server-answers-all-tool-uses',
    meta: 'sampling.messages.preserve-tool-use-meta',
  },
  async *run(peer) {
    const call = { name: NAME, arguments: { prompt: 'How warm is it in Paris and in London?' } }
    const { reply, asked } = await callAsking(peer, call, 'sampling/createMessage', ({ params }, turn) => ({
      result: turn === 1 ? twoUses(params) : completion({ type: 'text', text: 'It is warm.' }),
    }))
    const [first, second] = asked
    const offered = at(first?.params, 'tools')
    if (!Array.isArray(offered) || offered.length === 0) {
      yield unmet(`${NAME} offered the model no tools, although the client declares sampling.tools`)
      return
    }
    yield judge(
      'parallel',
      succeeded(reply) && second !== undefined,
      'a second request to the model, and a result in the end',
      reply,
      succeeded(reply) ? 'missing' : 'refused',
    )
    if (second === undefined) return
    const messages = at(second.params, 'messages')
    const list = Array.isArray(messages) ? messages : []
    const place = list.findIndex(message => blocksOf(message).some(block => at(block, 'type') === 'tool_use'))
    const results = blocksOf(list[place + 1])
    const ids = results.map(block => at(block, 'toolUseId'))
    const all = ids.includes('use-1') && ids.includes('use-2')
    yield judge(
      'answers',
      all && results.length === 2 && results.every(block => at(block, 'type') === 'tool_result'),
      'a message with the results for use-1 and use-2, and nothing else, behind the tool uses',
      second.frame,
      all ? 'wrong-value' : 'missing',
    )
    const kept = blocksOf(list[place]).find(block => at(block, 'id') === 'use-1')
    yield judge(
      'meta',
      JSON.stringify(at(kept, '_meta')) === JSON.stringify(META),
      'the _meta of the tool use',
      second.frame,
      'lost',
    )
  },
  defects: [
    {
      named: 'ends in an error at two tool uses',
      breaks: 'parallel',
      kind: 'refused',
      replace: { completionProblem: answer => (JSON.stringify(answer).includes('use-2') ? 'two at once' : undefined) },
    },
    {
      named: 'answers the first tool use only',
      breaks: 'answers',
      kind: 'missing',
      tamper: lastMessage(blocks => blocks.slice(0, 1)),
    },
    {
      named: 'puts a text before the results',
      breaks: 'answers',
      kind: 'wrong-value',
      tamper: lastMessage(blocks => [{ type: 'text', text: 'The results:' }, ...blocks]),
    },
    {
      named: 'drops _meta',
      breaks: 'meta',
      kind: 'lost',
      tamper: tampers.message(message =>
        message.method === 'sampling/createMessage'
          ? JSON.parse(JSON.stringify(message).replace(`,"_meta":${JSON.stringify(META)}`, ''))
          : message,
      ),
    },
  ],
})

const completion = (content: Json, stopReason = 'endTurn'): JsonObject => ({
  role: 'assistant',
  model: 'test-model',
  stopReason,
  content,
})

/** Two uses of the first tool that is offered. */
function twoUses(params: JsonObject): JsonObject {
  const tool = at(params, 'tools', 0)
  const use = (id: string, more: JsonObject): Json => ({
    type: 'tool_use',
    id,
    name: textAt(tool, 'name') ?? 'unknown',
    input: argumentsFor(at(tool, 'inputSchema')) ?? {},
    ...more,
  })
  return completion([use('use-1', { _meta: META }), use('use-2', {})], 'toolUse')
}

/** A message has one block or a list of them. */
function blocksOf(message: Json | undefined): Json[] {
  const content = at(message, 'content')
  return Array.isArray(content) ? content : content === undefined ? [] : [content]
}

/** Rewrites the blocks of the last message of a request that has more than one. */
function lastMessage(change: (blocks: Json[]) => Json[]) {
  return tampers.message(message => {
    const messages = at(message, 'params', 'messages')
    if (!Array.isArray(messages) || messages.length < 2 || !isObject(message.params)) return message
    const last = messages.at(-1) as JsonObject
    const changed = { ...last, content: change(blocksOf(last)) }
    return { ...message, params: { ...message.params, messages: [...messages.slice(0, -1), changed] } }
  })
}
