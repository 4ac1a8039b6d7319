/** The processes of a target over stdio: started when needed, and some of them ahead, since a start takes long. */
import type { WireLog } from '../wire/log.ts'
import type { LinkEvents } from './link.ts'
import type { Launch } from './process.ts'
import { openStdioLink, type StdioLink } from './stdio-link.ts'

/** A process with its link, and where the messages of the link go. */
export interface StartedProcess {
  link: StdioLink
  events: LinkEvents
}

export interface Processes {
  /** One that was started ahead and lives, else a new one. */
  take(): StartedProcess
  /** How many more will surely be needed. */
  reserve(count: number): void
  readonly starts: number
  interrupt(): void
  /** No more are started ahead; returns those that nobody took. */
  end(): StartedProcess[]
}

export interface ProcessesParts {
  launch: Launch
  log: WireLog
  /** processes started ahead at most */
  ahead: number
  /** for a process to end by itself when its stdin is closed */
  cleanupMs: number
  nextSession(): string
  /** Takes care of one that died before anybody needed it. */
  discard(link: StdioLink): void
}

export function createProcesses(parts: ProcessesParts): Processes {
  const links = new Set<StdioLink>()
  const spares: StartedProcess[] = []
  let starts = 0
  let expected = 0
  let state: 'running' | 'ended' | 'interrupted' = 'running'

  const start = (): StartedProcess => {
    starts += 1
    // A spare's messages before it is adopted (a banner) are in the log; nobody waits for them.
    const events: LinkEvents = { message() {} }
    const labels = { session: parts.nextSession(), process: `p${starts}` }
    const link = openStdioLink(
      parts.launch(),
      parts.log,
      labels,
      { message: frame => events.message(frame) },
      parts.cleanupMs,
    )
    links.add(link)
    if (state === 'interrupted') link.interrupt()
    return { link, events }
  }
  const startAhead = (): void => {
    if (state !== 'running') return
    while (spares.length < Math.min(parts.ahead, expected)) spares.push(start())
  }
  return {
    take() {
      let spare = spares.shift()
      while (spare?.link.isGone) {
        parts.discard(spare.link)
        spare = spares.shift()
      }
      const taken = spare ?? start()
      expected = Math.max(0, expected - 1)
      startAhead()
      return taken
    },
    reserve(count) {
      expected = count
      startAhead()
    },
    get starts() {
      return starts
    },
    interrupt() {
      state = 'interrupted'
      for (const link of links) link.interrupt()
    },
    end() {
      if (state === 'running') state = 'ended'
      return spares.splice(0)
    },
  }
}
