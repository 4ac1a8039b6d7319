/**
 * The clock of one proof. Whoever waits in a proof waits for silence, or for the other side, which lives in this very
 * process: so time goes on only when the process has nothing to do, and then it goes on to the next moment that somebody
 * waits for. How busy the machine is makes no difference, and no wait costs anything. The sockets between the two sides
 * are real, so an event loop that has slept without being woken is what tells that nothing is under way.
 */
import type { ClientFault } from '../suite/client-scenario.ts'
import type { ServerFault } from '../suite/defects.ts'
import { type Clock, wallClock, withClock } from '../wire/clock.ts'

export interface ProofClock extends Clock {
  /** The proof is over: nothing that it waited for happens any more. */
  stop(): void
}

interface Timer {
  at: number
  act(): void
}

/** Every look at the clock is a little later than the one before, so that frames have an order in time. */
const LOOK_MS = 0.001

/** Clocks on which somebody waits. */
const waiting = new Set<{ advance(): void }>()

export function createProofClock(): ProofClock {
  const timers = new Set<Timer>()
  const epoch = Date.now()
  let time = 0
  let stopped = false
  const self = {
    /** Goes on to the first moment that somebody waits for; what comes of it settles before the next one. */
    advance() {
      const first = [...timers].reduce((one, other) => (other.at < one.at ? other : one))
      time = Math.max(time, first.at)
      timers.delete(first)
      if (timers.size === 0) waiting.delete(self)
      first.act()
    },
  }
  return {
    now() {
      time += LOOK_MS
      return time
    },
    date: () => epoch + Math.floor(time),
    after(ms, act) {
      if (stopped) return () => {}
      const timer: Timer = { at: time + ms, act }
      timers.add(timer)
      waiting.add(self)
      startWatching()
      return () => {
        timers.delete(timer)
        if (timers.size === 0) waiting.delete(self)
      }
    },
    stop() {
      stopped = true
      timers.clear()
      waiting.delete(self)
    },
  }
}

/** Drives a proof by a clock of its own; a program, which is a process of its own, has only the clock on the wall. */
export async function inItsTime<T>(fault: ServerFault | ClientFault | undefined, drive: () => Promise<T>): Promise<T> {
  if (fault !== undefined && 'program' in fault) return withClock(wallClock, drive)
  const own = createProofClock()
  try {
    return await withClock(own, drive)
  } finally {
    own.stop()
  }
}

/** How often one looks whether the process has nothing to do; the shortest time that a timer of Node can be set to. */
const LOOK_EVERY_MS = 1
/** The event loop has to have slept for so long of it. */
const ASLEEP_MS = 0.5
/** What never comes to rest (a fault that writes without end) must not stop time for ever. */
const RESTLESS_MS = 30_000

let watching = false

function startWatching(): void {
  if (watching) return
  watching = true
  let before = activity()
  let rested = performance.now()
  const look = (): void => {
    if (waiting.size === 0) {
      watching = false
      return
    }
    const now = activity()
    const isQuiet = now.events === before.events && now.asleepMs - before.asleepMs >= ASLEEP_MS
    if (isQuiet || performance.now() - rested > RESTLESS_MS) {
      rested = performance.now()
      for (const one of [...waiting]) one.advance()
    }
    before = now
    setTimeout(look, LOOK_EVERY_MS)
  }
  setTimeout(look, LOOK_EVERY_MS)
}

/** What came to the event loop so far from outside itself (sockets, pipes, threads), and how long it has waited for that. */
const activity = (): { events: number; asleepMs: number } => ({
  events: performance.nodeTiming.uvMetricsInfo.events,
  asleepMs: performance.eventLoopUtilization().idle,
})
