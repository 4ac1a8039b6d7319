import { at, clientScenario, judge, request, script, undone, unmet } from '../../../src/suite/client.ts'

const IDS = ['batch-1', 'batch-2']

/** Two pings in one array, as 2025-03-26 had it. */
const BATCHING = script({
  drive: { name: 'initialize' },
  notes: (): { asked: boolean } => ({ asked: false }),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (!notes.asked) {
        notes.asked = true
        await call.push(IDS.map(id => request(id, 'ping')))
        for (const id of IDS) await server.heard(message => message.id === id, WAIT_MS)
      }
      return { result: { tools: [] } }
    })
  },
})

const WAIT_MS = 1_000

export default clientScenario({
  title: 'The client receives a batch of requests, and answers each of them',
  needs: { since: '2025-03-26', until: '2025-03-26' },
  script: BATCHING,
  claims: { receives: 'base.batch.receive' },
  *run(seen) {
    if (!seen.notes.asked) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    // As one array or singly, in any order: how the answers are grouped is the client's choice.
    const answers = seen.messages.filter(({ json }) =>
      (Array.isArray(json) ? json : [json]).some(one => IDS.includes(String(at(one, 'id')))),
    )
    const parts = answers.flatMap(({ json }) => (Array.isArray(json) ? json : [json]))
    const answered = IDS.every(id => parts.some(one => at(one, 'id') === id && at(one, 'result') !== undefined))
    const got = answers.length > 0 ? answers : { text: 'no answer', frames: seen.messages.slice(-1) }
    const kind =
      answers.length === 0 ? 'silent' : parts.some(one => at(one, 'error') !== undefined) ? 'refused' : 'missing'
    yield judge('receives', answered, 'a result for each of the two pings of a batch', got, kind)
  },
  defects: [
    { named: 'refuses batches', breaks: 'receives', kind: 'silent', replace: { batch: () => 'refuse' } },
    {
      named: 'answers the first request only',
      breaks: 'receives',
      kind: 'missing',
      replace: { drops: ({ id }) => id === IDS[1] },
    },
  ],
})
