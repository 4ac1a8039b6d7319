/** Which era a revision belongs to. */
import { familyOf } from '../../dialects/families.ts'
import type { FamilyName, Revision } from '../../spec/revision.ts'
import type { Era } from './era.ts'
import { withSessions } from './with-sessions.ts'
import { withoutSessions } from './without-sessions.ts'

const ERAS: Record<FamilyName, Era> = { stateful: withSessions, stateless: withoutSessions }

export const eraOf = (revision: Revision): Era => ERAS[familyOf(revision).name]
