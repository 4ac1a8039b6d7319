import {
  at,
  clientScenario,
  idKey,
  isObject,
  type Json,
  judge,
  type Sent,
  script,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const CALLS = 3
/** So long the first call waits for the others. */
const TOGETHER_MS = 600

/** Calls that run side by side, each with a wish for progress: none is answered before all have come. */
const AT_ONCE = script({
  drive: {
    name: 'calls-at-once',
    client: {},
    steps: Array.from({ length: CALLS }, (_, a) => ({
      request: 'tools/call',
      params: { name: 'add_numbers', arguments: { a, b: 1 } },
      progress: true,
      meanwhile: true,
    })),
  },
  play(server) {
    let come = 0
    server.on('tools/call', async ({ params }) => {
      come += 1
      for (let waited = 0; come < CALLS && waited < TOGETHER_MS; waited += 20) await server.pause(20)
      return { result: { content: [{ type: 'text', text: `The sum is ${Number(at(params, 'arguments', 'a')) + 1}` }] } }
    })
  },
})

export default clientScenario({
  title: 'Calls that run at once have ids and progress tokens of their own',
  script: AT_ONCE,
  claims: {
    ids: 'base.request.id-unique-per-session',
    tokens: 'progress.token.unique-among-active',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    if (calls.length < 2) {
      yield unmet(undone(seen, 'call a tool several times at once'))
      return
    }
    yield judge('ids', areDistinct(calls.map(({ id }) => id)), 'an id for each call', framesOf(calls), 'duplicate')
    const withToken = calls.filter(({ params }) => tokenOf(params) !== undefined)
    if (withToken.length < 2) yield unmet(undone(seen, 'ask for progress'), 'tokens')
    else
      yield judge(
        'tokens',
        areDistinct(withToken.map(({ params }) => tokenOf(params))),
        'a progress token for each call that runs',
        framesOf(withToken),
        'duplicate',
      )
  },
  defects: [
    {
      named: 'one id for all requests',
      breaks: 'ids',
      kind: 'duplicate',
      replace: { ids: () => () => 1, timeoutMs: 700 },
    },
    {
      named: 'one token for all calls',
      breaks: 'tokens',
      kind: 'duplicate',
      replace: { progressToken: () => 'progress' },
    },
    {
      named: 'the name of the tool as token',
      breaks: 'tokens',
      kind: 'duplicate',
      tamper: tampers.message(message =>
        message.method === 'tools/call' && isObject(message.params)
          ? { ...message, params: { ...message.params, _meta: { progressToken: at(message.params, 'name') } } }
          : message,
      ),
    },
  ],
})

const tokenOf = (params: Json): Json | undefined => at(params, '_meta', 'progressToken')

const areDistinct = (values: (Json | undefined)[]): boolean => new Set(values.map(idKey)).size === values.length

const framesOf = (calls: Sent[]) => calls.map(({ frame }) => frame)
