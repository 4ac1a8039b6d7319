/** What a wire log says about the size of a run. */

export interface WireCounts {
  sessions: number
  /** HTTP requests of ours, or messages of ours where there is no HTTP */
  requests: number
}

export function countWire(lines: string): WireCounts {
  const sessions = new Set<string>()
  let http = 0
  let messages = 0
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const { session, kind, from, exchange } = JSON.parse(line) as Record<string, unknown>
    sessions.add(String(session))
    if (from !== 'us') continue
    if (kind === 'http') http += 1
    if (kind === 'message' && exchange === undefined) messages += 1
  }
  return { sessions: sessions.size, requests: http + messages }
}
