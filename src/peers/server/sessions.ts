/** The sessions of a server, in the order in which they were begun, by the ids that it gave them. */
export interface Sessions<S> {
  readonly all: readonly S[]
  add(id: string | undefined, session: S): void
  /** The session of an id, also when it has ended; the first one that was given it. */
  withId(id: string): S | undefined
  end(session: S): void
  isEnded(session: S): boolean
  /** The newest one that has not ended. */
  newest(): S | undefined
}

export function createSessions<S>(): Sessions<S> {
  const all: S[] = []
  const byId = new Map<string, S>()
  const ended = new Set<S>()
  return {
    all,
    add(id, session) {
      all.push(session)
      if (id !== undefined && !byId.has(id)) byId.set(id, session)
    },
    withId: id => byId.get(id),
    end: session => {
      ended.add(session)
    },
    isEnded: session => ended.has(session),
    newest: () => all.findLast(session => !ended.has(session)),
  }
}
