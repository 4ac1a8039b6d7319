import { at, clientScenario, fateOfStep, isObject, judge, script, undone, unmet } from '../../../src/suite/client.ts'

const FAILED = { result: { content: [{ type: 'text', text: 'The disk is full' }], isError: true } }

/** Two tools fail in the same way; one of them says what its results look like when it does not. */
const FAILING = script({
  drive: {
    name: 'tool-errors',
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'plain', arguments: {} } },
      { request: 'tools/call', params: { name: 'structured', arguments: {} } },
      { request: 'tools/call', params: { name: 'optional', arguments: { path: '/tmp' } } },
    ],
  },
  setup: () => ({
    tools: [
      { name: 'plain', description: 'Fails', inputSchema: { type: 'object' } },
      {
        name: 'structured',
        description: 'Fails',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', properties: { free: { type: 'number' } }, required: ['free'] },
      },
      {
        name: 'optional',
        description: 'Takes one argument, and more if they are given',
        inputSchema: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            depth: { type: 'integer' },
            pattern: { type: ['string', 'null'] },
            tags: { type: 'array', items: { type: 'string' } },
            strict: { type: 'boolean' },
          },
          required: ['path'],
        },
      },
    ],
    calls: { plain: () => FAILED, structured: () => FAILED },
  }),
})

export default clientScenario({
  title: 'The client reports tool errors whatever the outputSchema, and sends arguments as they were given',
  script: FAILING,
  claims: { errors: 'robustness.client.error-results', given: 'robustness.client.arguments-as-given' },
  *run(seen) {
    const called = (name: string) =>
      seen.messages.find(({ json }) => at(json, 'method') === 'tools/call' && at(json, 'params', 'name') === name)
    const plain = seen.steps.get(1)
    const structured = seen.steps.get(2)
    if (called('structured') === undefined) yield unmet(undone(seen, 'call the tool structured'), 'errors')
    else if (plain === undefined || structured === undefined)
      yield unmet('the driver does not tell what became of its calls', 'errors')
    else
      yield judge(
        'errors',
        plain.outcome === structured.outcome,
        `the same word of the tool with an outputSchema as of the other one (${plain.outcome})`,
        fateOfStep(seen, 2),
        structured.outcome === 'error' ? 'refused' : 'accepted',
      )
    const call = called('optional')
    const report = seen.steps.get(3)
    if (call === undefined && report?.outcome !== 'error') yield unmet(undone(seen, 'call the tool optional'), 'given')
    else {
      const args = at(call?.json, 'params', 'arguments')
      const same = isObject(args) && JSON.stringify(args) === '{"path":"/tmp"}'
      const kind = call === undefined ? 'refused' : at(args, 'path') === undefined ? 'lost' : 'wrong-value'
      yield judge('given', same, 'a call with the one argument that was given', call ?? fateOfStep(seen, 3), kind)
    }
  },
  defects: [
    {
      named: 'wants errors to fit the outputSchema',
      breaks: 'errors',
      kind: 'refused',
      replace: client => ({
        resultProblem: seen => client.resultProblem({ ...seen, result: { ...seen.result, isError: false } }),
      }),
    },
    {
      named: 'fills in "null" for what is optional',
      breaks: 'given',
      kind: 'wrong-value',
      replace: {
        params: (method, params) =>
          method === 'tools/call' && params?.name === 'optional'
            ? { ...params, arguments: { path: '/tmp', pattern: 'null' } }
            : params,
      },
    },
    {
      named: 'loses the arguments',
      breaks: 'given',
      kind: 'lost',
      replace: {
        params: (method, params) =>
          method === 'tools/call' && params?.name === 'optional' ? { ...params, arguments: {} } : params,
      },
    },
  ],
})
