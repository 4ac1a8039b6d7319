import { at, type Fault, judge, type MessageFrame, request, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A batch of requests is received, and each of them is answered',
  needs: { since: '2025-03-26', until: '2025-03-26' },
  session: 'fresh',
  claims: { receives: 'base.batch.receive' },
  async *run(peer) {
    const ids = ['batch-1', 'batch-2']
    const mark = peer.mark
    const probe = await peer.raw(ids.map(id => request(id, 'ping')))
    // As one array or singly, in any order: how the answers are grouped is the server's choice.
    const isAnswered = (id: string): boolean =>
      peer
        .heard(mark)
        .flatMap(({ json }) => (Array.isArray(json) ? json : [json]))
        .some(one => at(one, 'id') === id && at(one, 'result') !== undefined)
    const { replyMs, watchMs } = peer.timeouts
    for (let waited = 0; waited < replyMs && !ids.every(isAnswered); waited += watchMs) await peer.watch()
    const answers = peer.heard(mark)
    const got = answers.length === 0 ? probe : answers
    yield judge(
      'receives',
      ids.every(isAnswered),
      'a result for each of the two pings of a batch',
      got,
      faultOf(answers),
    )
  },
  defects: [
    { named: 'refuses batches', breaks: 'receives', kind: 'refused', replace: { batch: () => 'refuse' } },
    {
      named: 'answers the first request only',
      breaks: 'receives',
      kind: 'missing',
      replace: { joinBatch: answers => [answers.slice(0, 1)] },
    },
  ],
  variants: [{ named: 'answers one by one', replace: { joinBatch: answers => answers } }],
})

const faultOf = (answers: readonly MessageFrame[]): Fault => {
  if (answers.length === 0) return {}
  return { kind: answers.some(({ json }) => at(json, 'error') !== undefined) ? 'refused' : 'missing' }
}
