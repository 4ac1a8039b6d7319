import { clientScenario, judge, script, undone, unmet } from '../../../src/suite/client.ts'

const AGAIN = script({
  drive: {
    name: 'reconnects',
    steps: [{ request: 'tools/list' }, { reconnect: true }, { request: 'tools/list' }, { pause: 100 }],
  },
})

/** What has been left open ends with the client itself; until then there is one server process more than there should be. */
export default clientScenario({
  title: 'The client ends the old server process when it connects anew',
  needs: { via: 'stdio' },
  script: AGAIN,
  claims: { ends: 'lifecycle.shutdown.stdio-close-stdin' },
  *run(seen) {
    const [first, second] = seen.conversations.filter(one => one.initialized)
    if (first === undefined || second === undefined) {
      yield unmet(undone(seen, 'connect a second time'))
      return
    }
    const last = seen.messages.findLast(frame => frame.session === second.session)
    const ended = seen.frames.find(frame => frame.kind === 'end' && frame.session === first.session)
    yield judge(
      'ends',
      ended !== undefined && last !== undefined && ended.seq < last.seq,
      'stdin of the first server closed before the second session is over',
      ended === undefined ? { text: 'nothing of the kind', frames: [seen.end.frame] } : [ended],
      ended === undefined ? 'missing' : 'late',
    )
  },
  defects: [{ named: 'leaves the old one running', breaks: 'ends', kind: 'missing', replace: { shutdown: [] } }],
})
