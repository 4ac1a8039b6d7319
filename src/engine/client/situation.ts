/** What the parts of a client run share. */
import type { ClientAccess } from '../../peers/client-access.ts'
import type { Revision } from '../../spec/revision.ts'
import type { ClientRun, Script } from '../../suite/client-scenario.ts'
import type { WireLog } from '../../wire/log.ts'
import type { SuiteHead } from '../discover.ts'
import type { Listen } from '../events.ts'
import type { NamedMonitor, Observer } from '../observe.ts'
import type { ResultContext } from '../results.ts'
import type { Selection } from '../select.ts'
import type { ClientTimeouts, StartOptions, startClient } from './run-script.ts'

export interface ClientRunOptions {
  access: ClientAccess
  /** the command line, for messages */
  at: string
  revision: Revision
  timeouts: ClientTimeouts
  jobs: number
  bail: boolean
  selection: Selection
  heads: readonly SuiteHead[]
  log: WireLog
  signal: AbortSignal
  listen: Listen
  reproduce(scenario: string): string
}

export interface ClientSituation {
  options: ClientRunOptions
  context: ResultContext
  monitors: NamedMonitor[]
  observer: Observer
  start(script: Script<unknown>, scenario: string, more?: Partial<StartOptions>): ReturnType<typeof startClient>
}

/** The first conversation: does the client come, and as whom? Also what an unprepared client does by itself. */
export const FIRST: Script<unknown> = { drive: { name: 'initialize' } }

/** The monitors of each conversation draw their last conclusions. */
export function endSessions(observer: Observer, run: ClientRun<unknown>): void {
  for (const session of new Set(run.frames.map(frame => frame.session))) observer.end(session)
}
