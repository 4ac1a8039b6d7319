import {
  at,
  codes,
  isObject,
  judge,
  listAll,
  memberFault,
  type Reply,
  refusal,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Its argument `value` has 150 possible values. */
const MANY = 'test_prompt_with_many_values'
/** The completion of its argument `topic` fails. */
const FAILING = 'test_failing_prompt'
const OFFICIAL = 'test_prompt_with_arguments'

export default serverScenario({
  title: 'More than 100 candidates are cut short, and a completion that fails gets error -32603',
  needs: { capability: 'completions' },
  claims: {
    cut: 'completion.result.max-100',
    more: 'completion.result.has-more',
    internal: 'completion.errors.internal',
    official: 'completion.complete.supported',
  },
  async *run(peer) {
    const { entries } = isObject(peer.capabilities.prompts)
      ? await listAll(peer, 'prompts/list', 'prompts')
      : { entries: [] }
    const offered = (prompt: string, argument: string): boolean => {
      const declared = entries.find(({ name }) => name === prompt)?.arguments
      return Array.isArray(declared) && declared.some(one => at(one, 'name') === argument)
    }
    const complete = (name: string, argument: string, value: string): PromiseLike<Reply> =>
      peer.request('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })

    if (offered(OFFICIAL, 'arg1')) {
      const reply = await complete(OFFICIAL, 'arg1', 'test')
      const values = reply.kind === 'result' ? at(reply.result, 'completion', 'values') : undefined
      yield judge(
        'official',
        Array.isArray(values),
        'an array of values, which may be empty',
        reply,
        memberFault(reply, 'completion', 'values'),
      )
    } else yield unmet(`fixture ${OFFICIAL} not offered`, 'official')

    if (offered(MANY, 'value')) {
      const reply = await complete(MANY, 'value', '')
      const completion = reply.kind === 'result' ? at(reply.result, 'completion') : undefined
      const values = at(completion, 'values')
      const count = Array.isArray(values) ? values.length : 0
      yield judge('cut', count === 100, '100 of 150 values', reply)
      // It may be left out, but it must not say that this was all.
      if (count === 100)
        yield judge('more', at(completion, 'hasMore') !== false, 'hasMore true, or left out, with 100 of 150', reply)
    } else yield unmet(`fixture ${MANY} not offered`, 'cut', 'more')

    if (offered(FAILING, 'topic')) {
      const reply = await complete(FAILING, 'topic', '')
      if (reply.kind === 'result') yield unmet(`the completion of ${FAILING} does not fail`, 'internal')
      else
        yield judge(
          'internal',
          reply.kind === 'error' && reply.code === codes.internalError,
          'error -32603',
          reply,
          'wrong-code',
        )
    } else yield unmet(`fixture ${FAILING} with an argument topic not offered`, 'internal')
  },
  defects: [
    {
      named: 'too many values are an internal error',
      breaks: 'cut',
      kind: 'refused',
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'ref', 'name') === MANY
          ? refusal(codes.internalError, 'Too many values')(message)
          : message,
      ),
    },
    {
      named: 'sends all of them',
      breaks: 'cut',
      kind: 'wrong-value',
      tamper: manyAs(150, { total: 150, hasMore: false }),
    },
    {
      named: 'says that a part is the whole',
      breaks: 'more',
      kind: 'wrong-value',
      tamper: manyAs(100, { hasMore: false }),
    },
    {
      named: 'blames the params for its failure',
      breaks: 'internal',
      kind: 'wrong-code',
      replace: {
        onException: refusal(codes.invalidParams, 'no'),
      },
    },
    {
      named: 'is silent after a failure',
      breaks: 'internal',
      kind: 'silent',
      replace: { onException: () => undefined },
    },
    {
      named: 'completes no prompt',
      breaks: 'official',
      kind: 'refused',
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'ref', 'name') === OFFICIAL ? refusal(codes.invalidParams, 'no')(message) : message,
      ),
    },
  ],
  variants: [
    { named: 'has no such prompts', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
    { named: 'does not count', shows: ['cut', 'more'], tamper: manyAs(100, {}) },
    {
      named: 'has no suggestion',
      shows: ['official'],
      tamper: tampers.answer('completion/complete', (message, cause) =>
        at(cause, 'params', 'ref', 'name') === OFFICIAL ? success({ completion: { values: [] } })(message) : message,
      ),
    },
  ],
})

/** So many values, where there are many. */
function manyAs(count: number, more: { total?: number; hasMore?: boolean }) {
  return tampers.answer('completion/complete', (message, cause) =>
    at(cause, 'params', 'ref', 'name') === MANY
      ? success({ completion: { values: Array.from({ length: count }, (_, index) => `value ${index}`), ...more } })(
          message,
        )
      : message,
  )
}
