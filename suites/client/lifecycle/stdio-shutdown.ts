import { clientScenario, type Frame, judge, script, shookHands, undone, unmet } from '../../../src/suite/client.ts'

/** Nothing makes our server end by itself: the client has to go through all that it can do. */
const STUBBORN = script({
  drive: { name: 'initialize' },
  setup: () => ({ stdio: { onEof: 'stay', onTerminate: 'stay' } }),
  lastsMs: 60_000,
})

/** What comes closer together has no order: a signal may overtake the end of a pipe. */
const TOGETHER_MS = 50

export default clientScenario({
  title: 'The client closes the stdin of its server, waits, and ends it by SIGTERM and then SIGKILL',
  needs: { via: 'stdio' },
  script: STUBBORN,
  claims: {
    closes: 'lifecycle.shutdown.stdio-close-stdin',
    terminates: 'lifecycle.shutdown.stdio-wait-or-sigterm',
    kills: 'lifecycle.shutdown.stdio-sigkill',
  },
  *run(seen) {
    if (!shookHands(seen)) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const process = seen.conversations.findLast(one => one.initialized)?.session
    // Where the client had to be stopped, the signals behind that are ours.
    const until = seen.end.how === 'stopped' ? seen.end.atMs : Number.POSITIVE_INFINITY
    const ends = seen.frames.filter(
      frame => frame.kind === 'end' && frame.session === process && frame.seq < seen.end.frame.seq && frame.at < until,
    )
    const eof = ends.find(frame => frame.kind === 'end' && frame.why === 'closed')
    const signal = (name: string): Frame | undefined =>
      ends.find(frame => frame.kind === 'end' && frame.signal === name)
    const first = ends.find(frame => frame.kind === 'end' && frame.signal !== undefined)
    const term = signal('SIGTERM')
    const kill = signal('SIGKILL')
    const story = { text: storyOf(ends), frames: [...ends, seen.end.frame] }
    const apart = eof !== undefined && first !== undefined && Math.abs(first.at - eof.at) > TOGETHER_MS
    if (eof !== undefined && first !== undefined && first.at < eof.at && !apart)
      yield unmet('stdin was closed and a signal sent at the same moment', 'closes')
    else
      yield judge(
        'closes',
        eof !== undefined && (first === undefined || eof.at <= first.at),
        'stdin closed before any signal',
        story,
        eof === undefined ? 'missing' : 'wrong-order',
      )
    if (globalThis.process.platform === 'win32') {
      yield unmet('there are no such signals on Windows', 'terminates', 'kills')
      return
    }
    const waits = term !== undefined && (eof === undefined || first !== term || apart)
    const kind = term === undefined ? 'missing' : 'wrong-order'
    yield judge('terminates', waits, 'SIGTERM some time after the end of stdin', story, kind)
    yield judge('kills', kill !== undefined, 'SIGKILL for a server that ignores SIGTERM', story, 'missing')
  },
  defects: [
    {
      named: 'begins with SIGTERM',
      breaks: 'closes',
      kind: 'wrong-order',
      replace: {
        shutdown: [
          { does: 'SIGTERM', waitMs: 200 },
          { does: 'close stdin', waitMs: 200 },
          { does: 'SIGKILL', waitMs: 200 },
        ],
      },
    },
    {
      named: 'kills at once',
      breaks: 'closes',
      kind: 'missing',
      also: ['terminates'],
      replace: { shutdown: [{ does: 'SIGKILL', waitMs: 200 }] },
    },
    {
      named: 'sends SIGTERM without waiting',
      breaks: 'terminates',
      kind: 'wrong-order',
      replace: {
        shutdown: [
          { does: 'close stdin', waitMs: 0 },
          { does: 'SIGTERM', waitMs: 200 },
          { does: 'SIGKILL', waitMs: 200 },
        ],
      },
    },
    {
      named: 'goes without SIGTERM',
      breaks: 'terminates',
      kind: 'missing',
      replace: {
        shutdown: [
          { does: 'close stdin', waitMs: 200 },
          { does: 'SIGKILL', waitMs: 200 },
        ],
      },
    },
    {
      named: 'leaves the server behind',
      breaks: 'kills',
      kind: 'missing',
      also: ['terminates'],
      replace: { shutdown: [{ does: 'close stdin', waitMs: 200 }] },
    },
    {
      named: 'believes in SIGTERM',
      breaks: 'kills',
      kind: 'missing',
      replace: {
        shutdown: [
          { does: 'close stdin', waitMs: 200 },
          { does: 'SIGTERM', waitMs: 200 },
        ],
      },
    },
  ],
})

function storyOf(ends: readonly Frame[]): string {
  const parts = ends.flatMap(frame =>
    frame.kind === 'end' ? [`${frame.signal ?? 'end of stdin'} at ${Math.round(frame.at)} ms`] : [],
  )
  return parts.length === 0 ? 'neither an end of stdin nor a signal' : parts.join(', ')
}
