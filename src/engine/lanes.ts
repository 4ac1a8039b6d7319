/** Plays units side by side, as many as the limit allows at that moment, in the order of the list. */

export async function runLanes<Unit>(
  units: readonly Unit[],
  limit: () => number,
  play: (unit: Unit) => Promise<void>,
): Promise<void> {
  const queue = [...units]
  const running = new Set<Promise<void>>()
  while (queue.length > 0 || running.size > 0) {
    while (queue.length > 0 && running.size < Math.max(1, limit())) {
      const unit = queue.shift() as Unit
      const playing: Promise<void> = play(unit).finally(() => running.delete(playing))
      running.add(playing)
    }
    await Promise.race(running)
  }
}
