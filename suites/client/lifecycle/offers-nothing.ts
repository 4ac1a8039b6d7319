import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  script,
  sent,
  shookHands,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const TOLD = ['prompts/list', 'tools/call']

/** The server can do nothing, and the user wants something of it all the same. */
const BARREN = script({
  drive: {
    name: 'nothing-offered',
    steps: [
      { pause: 100 },
      { request: 'prompts/list' },
      { request: 'tools/call', params: { name: 'add_numbers', arguments: { a: 5, b: 3 } } },
    ],
  },
  setup: () => ({ capabilities: {} }),
})

export default clientScenario({
  title:
    'The client sends no feature request by itself to a server without capabilities, and reports failures to its user',
  script: BARREN,
  claims: {
    only: 'lifecycle.operation.client-only-negotiated-capabilities',
    copes: 'lifecycle.errors.capability-failure',
  },
  *run(seen) {
    if (!shookHands(seen)) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    // What its user asks for may go out and be refused by the server.
    const unbidden = sent(seen).filter(({ method }) => /^\w+\/\w+/.test(method) && !TOLD.includes(method))
    const requests = unbidden.filter(({ id }) => id !== undefined)
    if (requests.length === 0)
      yield judge('only', true, 'no request for a feature', sent(seen)[0]?.frame ?? seen.end.frame)
    for (const { method, frame } of requests)
      yield judge('only', false, 'no request for a feature', frame, { kind: 'unasked', subject: method })
    const tried = [1, 2].some(step => ['result', 'error'].includes(seen.steps.get(step)?.outcome ?? ''))
    const fate = fateOfClient(seen)
    const bad = crashed(seen) || seen.end.how === 'stopped'
    if (!bad && !tried && !sent(seen).some(({ method }) => TOLD.includes(method)))
      yield unmet(undone(seen, 'try anything'), 'copes')
    else yield judge('copes', !bad, 'an error for its user, and an end in good order', fate, endKind(seen))
  },
  defects: [
    {
      named: 'lists resources that nobody has spoken of',
      breaks: 'only',
      kind: 'unasked',
      replace: { greets: when => (when === 'initialized' ? [{ method: 'resources/list' }] : []) },
    },
    {
      named: 'crashes where a capability is missing',
      breaks: 'copes',
      kind: 'died',
      replace: {
        undeclared: () => {
          throw new TypeError('capabilities.prompts is undefined')
        },
      },
    },
  ],
  variants: [{ named: 'lets the server refuse', replace: { undeclared: () => undefined } }],
})
