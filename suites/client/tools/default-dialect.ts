import {
  clientScenario,
  crashed,
  fateOfClient,
  judge,
  reported,
  script,
  sent,
  stepKind,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const CONTROL = 1
const MODERN = 2
const LIST = { type: 'object', properties: { pair: { type: 'array' } }, required: ['pair'] }
/** By 2020-12 `items` speaks of what comes behind `prefixItems`; older dialects know it as a rule for all items. */
const PAIR = {
  type: 'object',
  properties: { pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } },
  required: ['pair'],
}
const RESULT = { content: [{ type: 'text', text: '{"pair":[1,"a"]}' }], structuredContent: { pair: [1, 'a'] } }

const PAIRING = script({
  drive: {
    name: 'default-dialect',
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'list', arguments: {} } },
      { request: 'tools/call', params: { name: 'pair', arguments: {} } },
    ],
  },
  setup: () => ({
    tools: [
      { name: 'list', description: 'Gives a list', inputSchema: { type: 'object' }, outputSchema: LIST },
      { name: 'pair', description: 'Gives a pair', inputSchema: { type: 'object' }, outputSchema: PAIR },
    ],
    calls: { list: () => ({ result: RESULT }), pair: () => ({ result: RESULT }) },
  }),
})

export default clientScenario({
  title: 'The client reads schemas of tools that name no dialect as JSON Schema 2020-12',
  script: PAIRING,
  claims: { modern: 'tools.schema.default-dialect' },
  *run(seen) {
    const listed = seen.steps.get(0)
    const [list] = sent(seen, 'tools/list')
    if (list !== undefined && (listed?.outcome === 'error' || (listed === undefined && crashed(seen)))) {
      const text = listed === undefined ? fateOfClient(seen).text : reported(listed)
      const fault = { kind: stepKind(seen, 0), subject: 'tools/list' }
      yield judge('modern', false, 'a list with a schema of 2020-12', { text, frames: [list.frame] }, fault)
      return
    }
    const [control, modern] = [seen.steps.get(CONTROL), seen.steps.get(MODERN)]
    const call = sent(seen, 'tools/call').find(({ params }) => params.name === 'pair')
    if (control?.outcome === 'error') yield unmet('a result by a plain schema fails as well')
    else if (call === undefined || modern === undefined || modern.outcome === 'unsupported')
      yield unmet(undone(seen, 'call the tools and tell of the results'))
    else
      yield judge(
        'modern',
        modern.outcome === 'result',
        'a result that fits by 2020-12',
        {
          text: modern.outcome === 'result' ? 'it takes the result' : reported(modern),
          frames: [call.frame],
        },
        { kind: 'refused', subject: 'tools/call' },
      )
  },
  defects: [
    {
      named: 'reads schemas as draft-07',
      breaks: 'modern',
      kind: 'refused',
      replace: correct => ({
        resultProblem: seen =>
          JSON.stringify(seen.tool?.outputSchema ?? '').includes('"items":false')
            ? 'items are not allowed'
            : correct.resultProblem(seen),
      }),
    },
    {
      named: 'does not take the list',
      breaks: 'modern',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('prefixItems')) throw new Error('unknown keyword: prefixItems')
        },
      },
    },
  ],
})
