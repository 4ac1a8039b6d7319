/** The protocol revisions, oldest first. Order matters: `since` and `until` compare by it. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

export const MAIN_REVISION: Revision = '2025-11-25'

/** Revisions that open a session with `initialize`; the next one has no session. */
export const STATEFUL: readonly Revision[] = REVISIONS.slice(0, 4)

export const isRevision = (text: unknown): text is Revision => REVISIONS.includes(text as Revision)

/** True where `revision` lies between the two, both included. */
export const within = (revision: Revision, since: Revision, until?: Revision): boolean =>
  revision >= since && (until === undefined || revision <= until)
