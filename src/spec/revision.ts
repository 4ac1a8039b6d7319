/**
 * The protocol revisions and what is known of each as such. This is the only table of revisions:
 * which family a revision belongs to, how it is carried, and how much of it is judged here.
 */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

/** stateful: `initialize` opens a session. stateless: every request says all there is to know. */
export type FamilyName = 'stateful' | 'stateless'

export interface RevisionFacts {
  family: FamilyName
  /** what HTTP means: an event stream by GET and messages to another URL, or one endpoint */
  http: 'http+sse' | 'streamable'
  /** HTTP requests name the version in a header field of their own */
  versionHeader: boolean
  /** the revision whose catalogue holds its requirements, by `since` and `until` */
  catalogue: Revision
  /** in part: only suites that name the revision judge it */
  judged: 'whole' | 'in part'
}

const FACTS: Record<Revision, RevisionFacts> = {
  '2024-11-05': {
    family: 'stateful',
    http: 'http+sse',
    versionHeader: false,
    catalogue: '2025-11-25',
    judged: 'whole',
  },
  '2025-03-26': {
    family: 'stateful',
    http: 'streamable',
    versionHeader: false,
    catalogue: '2025-11-25',
    judged: 'whole',
  },
  '2025-06-18': {
    family: 'stateful',
    http: 'streamable',
    versionHeader: true,
    catalogue: '2025-11-25',
    judged: 'whole',
  },
  '2025-11-25': {
    family: 'stateful',
    http: 'streamable',
    versionHeader: true,
    catalogue: '2025-11-25',
    judged: 'whole',
  },
  '2026-07-28': {
    family: 'stateless',
    http: 'streamable',
    versionHeader: true,
    catalogue: '2026-07-28',
    judged: 'in part',
  },
}

export const factsAbout = (revision: Revision): RevisionFacts => FACTS[revision]

/** What we offer where nobody says otherwise. */
export const MAIN_REVISION: Revision = '2025-11-25'

export const revisionsOf = (family: FamilyName): Revision[] =>
  REVISIONS.filter(revision => FACTS[revision].family === family)

/** Revisions that open a session with `initialize`. */
export const STATEFUL: readonly Revision[] = revisionsOf('stateful')

export const isRevision = (text: unknown): text is Revision => REVISIONS.includes(text as Revision)

/** True where `revision` lies between the two, both included; dates compare as text. */
export const within = (revision: Revision, since: Revision, until?: Revision): boolean =>
  revision >= since && (until === undefined || revision <= until)

/** Where a suite or a monitor applies. */
export interface Span {
  since?: Revision
  until?: Revision
}

/**
 * Whether what has that span says anything about the revision. What was written before a revision that
 * is judged in part does not: there a suite has to name it, as `since` or as `until`.
 */
export function mayJudge({ since, until }: Span, revision: Revision): boolean {
  const named = [since, until].some(end => end !== undefined && FACTS[end].judged === 'in part')
  return named || FACTS[revision].judged === 'whole'
}

export const spans = (span: Span, revision: Revision): boolean =>
  mayJudge(span, revision) && within(revision, span.since ?? REVISIONS[0], span.until)

/** The newest revision in the span that is not newer than the main one; else the oldest in it. */
export function mainRevisionIn(span: Span): Revision {
  const inside = REVISIONS.filter(revision => spans(span, revision))
  return inside.filter(revision => revision <= MAIN_REVISION).at(-1) ?? inside[0] ?? MAIN_REVISION
}

/** Whether we speak the transport that the revision defines. */
export const hasTransport = (revision: Revision, via: 'stdio' | 'http'): boolean =>
  via === 'stdio' || FACTS[revision].http === 'streamable'
