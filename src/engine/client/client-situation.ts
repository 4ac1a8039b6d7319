import type { ClientAccess } from '../../peers/client-access.ts'
import type { Script } from '../../suite/client-scenario.ts'
import type { Run } from '../role-driver.ts'
import type { ClientTimeouts, Started, StartOptions } from './run-script.ts'

export interface ClientTarget {
  access: ClientAccess
  timeouts: ClientTimeouts
}

/** What the parts of a client run share. */
export interface ClientSituation extends Run {
  client: ClientTarget
  start(script: Script<unknown>, scenario: string, more?: Partial<StartOptions>): Promise<Started>
  /** `c1`, `c2`: the starts of the client, and in front of a dot their conversations, in the log */
  nextLabel(): string
}
