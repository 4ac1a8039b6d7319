/** A monitor judges from the frames alone, in every run. */
import type { Side, Speaker, Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import type { Frame } from '../wire/log.ts'
import type { Citation } from './citation.ts'
import type { ClientDefect, ClientVariant } from './client-scenario.ts'
import type { Defect, Variant } from './defects.ts'
import type { Judgement } from './judgement.ts'

/** What a monitor knows besides the frames. */
export interface MonitorContext {
  via: Via
  role: Speaker
  /** what was negotiated so far in this session, else what is offered */
  revision(): Revision
}

export interface Monitor<C extends string, S> {
  title: string
  claims: Record<C, Citation>
  /** which side it watches; servers, where nothing is said */
  sides?: Side[]
  needs?: { via?: Via; since?: Revision; until?: Revision }
  /** What a claim of which nothing was seen is, once the target has said anything: untested, where nothing is said. */
  unseen?: 'n/a'
  /** Which frames it looks at: messages, where nothing is said; `all` are also HTTP heads, events, and ends of processes. */
  frames?: 'all'
  /** A state for each session. */
  start(context: MonitorContext): S
  see(state: S, frame: Frame): Iterable<Judgement<NoInfer<C>>>
  end?(state: S): Iterable<Judgement<NoInfer<C>>>
  /** `on` is the scenario that drives it; one under client/ says that the reference client is at fault */
  defects: ((Defect<NoInfer<C>> | ClientDefect<NoInfer<C>>) & { on: string })[]
  variants?: ((Variant<NoInfer<C>> | ClientVariant<NoInfer<C>>) & { on: string })[]
}

export type AnyMonitor = Monitor<string, unknown> & { kind: 'monitor' }

export const monitor = <const C extends string, S>(definition: Monitor<C, S>): AnyMonitor =>
  ({ ...definition, kind: 'monitor' }) as unknown as AnyMonitor
