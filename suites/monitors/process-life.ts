import { at, judge, monitor, textAt, theirMessages } from '../../src/suite/monitor.ts'

interface State {
  opened: boolean
  /** the end is our doing, or may be: we closed stdin, sent a signal, or sent a deliberate fault */
  ours: boolean
}

/** A server that ends in the middle of a conversation takes all its users' work with it. */
export default monitor({
  title: 'The process lives until it is asked to end',
  frames: 'all',
  needs: { via: 'stdio' },
  claims: { lives: 'robustness.process.stays-alive' },
  start: (): State => ({ opened: false, ours: false }),
  *see(state, frame) {
    if ('intended' in frame && frame.intended === 'fault') state.ours = true
    for (const message of theirMessages(frame)) {
      if (textAt(message, 'result', 'protocolVersion') !== undefined) state.opened = true
      // Each answer is a sign of life.
      if (state.opened && at(message, 'method') === undefined) yield judge('lives', true, 'a living process', frame)
    }
    if (frame.kind !== 'end' || state.ours) return
    state.ours = true
    if (frame.why !== 'asked' && state.opened)
      yield judge('lives', false, 'a process that lives until it is asked to end', frame, 'died')
  },
  defects: [
    {
      named: 'ends a moment after the handshake',
      on: 'server/robustness/stays-alive',
      breaks: 'lives',
      kind: 'died',
      program: 'exits-between-requests',
    },
    {
      named: 'closes its stdout',
      on: 'server/robustness/stays-alive',
      breaks: 'lives',
      kind: 'died',
      program: 'closes-stdout',
    },
    {
      named: 'ends at an unknown method',
      on: 'server/base/unknown-method',
      breaks: 'lives',
      kind: 'died',
      program: 'exits-at-unknown-method',
    },
  ],
})
