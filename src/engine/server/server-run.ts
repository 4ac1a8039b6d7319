import type { Access, SessionFactory } from '../../peers/session-factory.ts'
import type { CallTools, Timeouts } from '../../peers/target.ts'
import type { Run } from '../role-driver.ts'

export interface ServerAccess {
  access: Access
  timeouts: Timeouts
  callTools: CallTools
}

/** What the parts of a server run share. */
export interface ServerRun extends Run {
  server: ServerAccess
  factory: SessionFactory
}
