/** Plays units side by side, as many as the limit allows at that moment, in the order of the list. */

/** `isReady`: what the unit needs is free. One that has to wait lets those behind it go first. */
export async function runLanes<Unit>(
  units: readonly Unit[],
  limit: () => number,
  play: (unit: Unit) => Promise<void>,
  isReady: (unit: Unit) => boolean = () => true,
): Promise<void> {
  const queue = [...units]
  const running = new Set<Promise<void>>()
  const next = (): Unit | undefined => {
    const ready = queue.findIndex(isReady)
    // Where nothing goes on, nothing will become free: whoever waits then finds out for itself.
    const index = ready === -1 && running.size === 0 ? 0 : ready
    return index === -1 ? undefined : queue.splice(index, 1)[0]
  }
  while (queue.length > 0 || running.size > 0) {
    while (queue.length > 0 && running.size < Math.max(1, limit())) {
      const unit = next()
      if (unit === undefined) break
      const playing: Promise<void> = play(unit).finally(() => running.delete(playing))
      running.add(playing)
    }
    await Promise.race(running)
  }
}
