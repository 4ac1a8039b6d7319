import {
  argumentsFor,
  at,
  callAsking,
  type JsonObject,
  judge,
  serverScenario,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

const NAME = 'test_sampling_with_tools'
/** No task needs so many rounds; whoever goes on beyond them has no limit. */
const MOST_ROUNDS = 50

export default serverScenario({
  title: `A model that uses a tool in every answer is given up within ${MOST_ROUNDS} rounds`,
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NAME }, since: '2025-11-25' },
  claims: { limits: 'sampling.security.iteration-limits' },
  async *run(peer) {
    const call = { name: NAME, arguments: { prompt: 'hello' } }
    const { reply, asked } = await callAsking(peer, call, 'sampling/createMessage', ({ params }, turn) =>
      turn > MOST_ROUNDS ? { error: { code: -1, message: 'enough' } } : { result: oneUse(params, turn) },
    )
    if (!Array.isArray(at(asked[0]?.params, 'tools'))) yield unmet(`${NAME} offered the model no tools`)
    else if (asked.length <= MOST_ROUNDS && reply.kind === 'none')
      yield unmet(`${NAME} did not end in time, after ${asked.length} rounds`)
    else
      yield judge(
        'limits',
        asked.length <= MOST_ROUNDS,
        `an end within ${MOST_ROUNDS} rounds`,
        {
          text: `${asked.length} requests to the model`,
          frames: reply.frames,
        },
        'unasked',
      )
  },
  defects: [
    {
      named: 'never has enough',
      breaks: 'limits',
      kind: 'unasked',
      replace: { samplingRounds: Number.POSITIVE_INFINITY },
    },
  ],
  variants: [{ named: 'asks once', replace: { samplingRounds: 1 } }],
})

function oneUse(params: JsonObject, turn: number): JsonObject {
  const tool = at(params, 'tools', 0)
  const name = textAt(tool, 'name') ?? 'unknown'
  const input = argumentsFor(at(tool, 'inputSchema')) ?? {}
  return {
    role: 'assistant',
    model: 'test-model',
    stopReason: 'toolUse',
    content: [{ type: 'tool_use', id: `use-${turn}`, name, input }],
  }
}
