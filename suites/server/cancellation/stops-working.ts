import {
  at,
  idKey,
  isResponse,
  judge,
  type MessageFrame,
  refusal,
  type ServerPeer,
  serverScenario,
  shapeOf,
  unmet,
} from '../../../src/suite/server.ts'

const TOOL = 'test_slow_tool'
const TOKEN = 'x-conformance-slow'

export default serverScenario({
  title: 'A slow tool stops to work when its call is cancelled, and the call gets no response',
  needs: { capability: 'tools', fixture: { tool: TOOL } },
  claims: {
    stops: 'cancellation.receive.stop-processing',
    silent: 'cancellation.receive.no-response',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const { watchMs } = peer.timeouts
    const { mark } = peer
    // It has twice `watchMs` to stop; work that goes on for all its time shows behind that, on a slow machine, too.
    const params = { name: TOOL, arguments: { milliseconds: 10 * watchMs } }
    const call = peer.request('tools/call', params, { meta: { progressToken: TOKEN }, withinMs: 4 * watchMs })
    await begun(peer, mark)
    const early = answersTo(call.id, peer.heard(mark))
    if (early.length > 0) {
      yield unmet(`${TOOL} was done before it could be cancelled`)
      return
    }
    const seen = peer.heard(mark).some(isProgress)
    await call.cancel('a test')
    await peer.pause(2 * watchMs)
    const late = peer.mark
    await peer.watch()
    await peer.settle()
    stream?.close()
    const reports = peer.heard(late).filter(isProgress)
    if (seen)
      yield judge(
        'stops',
        reports.length === 0,
        `no progress any more ${2 * watchMs} ms after the cancellation`,
        reports,
        'ignored',
      )
    else yield unmet(`${TOOL} reported no progress, so that nobody can see whether it stops`, 'stops')
    const answers = answersTo(call.id, peer.heard(mark))
    yield judge('silent', answers.length === 0, 'no response to the cancelled call', answers, 'unasked')
  },
  defects: [
    {
      named: 'works on to the end, in silence',
      breaks: 'stops',
      kind: 'ignored',
      replace: { stopsWhenCancelled: false },
    },
    {
      named: 'stops, and answers with what it has',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onCancelled: answer => answer },
    },
    {
      named: 'stops, and answers with an error',
      breaks: 'silent',
      kind: 'unasked',
      replace: { onCancelled: refusal(-32800, 'cancelled') },
    },
    {
      named: 'takes no notice',
      breaks: 'stops',
      kind: 'ignored',
      replace: { stopsWhenCancelled: false, onCancelled: answer => answer },
    },
  ],
  variants: [{ named: 'answers in JSON', via: 'http', shows: ['silent'], replace: { answerBy: () => 'json' } }],
})

const isProgress = ({ json }: MessageFrame): boolean =>
  at(json, 'method') === 'notifications/progress' && at(json, 'params', 'progressToken') === TOKEN

const answersTo = (id: string | number, frames: readonly MessageFrame[]): MessageFrame[] =>
  frames.filter(({ json }) => isResponse(shapeOf(json)) && idKey(at(json, 'id')) === idKey(id))

/** Waits until the tool says that it works, or might have said so. */
async function begun(peer: ServerPeer, mark: number): Promise<void> {
  const STEPS = 10
  for (let step = 0; step < STEPS && !peer.heard(mark).some(isProgress); step += 1)
    await peer.pause(peer.timeouts.watchMs / STEPS / 2)
}
