/** One thing after the other; at once, where nothing is under way. */
export type Queue = <T>(work: () => T | Promise<T>) => T | Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> | undefined
  const follow = <T>(doing: Promise<T>): Promise<T> => {
    const settled = doing.then(
      () => undefined,
      () => undefined,
    )
    last = settled
    void settled.then(() => {
      if (last === settled) last = undefined
    })
    return doing
  }
  return work => {
    if (last !== undefined) return follow(last.then(work))
    const done = work()
    return done instanceof Promise ? follow(done) : done
  }
}
