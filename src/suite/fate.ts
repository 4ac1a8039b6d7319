import type { Got, Probe } from '../peers/reply.ts'
import type { ServerPeer } from '../peers/server-peer.ts'

/** What became of a target after a probe: one whose process ended is not one that is silent. */
export async function fateOf(peer: ServerPeer, probe: Probe): Promise<Got> {
  const end = probe.alive ? undefined : await peer.process?.exited(peer.timeouts.graceMs)
  if (end?.kind !== 'end') return probe
  const how = end.signal ?? (end.code === undefined ? (end.detail ?? end.why) : `exit code ${end.code}`)
  return { text: `the process ended (${how})`, frames: [...probe.frames, end] }
}
