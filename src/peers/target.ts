/** What is put under test and how it is reached. */

export type Argv = readonly string[]

export interface LaunchOptions {
  env?: Record<string, string>
  cwd?: string
}

/** Which tools may be called: our users' tools may send, delete and pay. */
export type CallTools =
  | { kind: 'safe' }
  | { kind: 'fixtures' }
  | { kind: 'all' }
  | { kind: 'named'; names: readonly string[] }

export const SAFE: CallTools = { kind: 'safe' }

/** Times in milliseconds that bound every wait for a target. */
export interface Timeouts {
  /** from the start of the process (or the first request) to the answer to `initialize` */
  handshakeMs: number
  /** for the answer to one request */
  replyMs: number
  /** how long after a barrier something unwanted may still turn up */
  graceMs: number
  /** how long to watch for something unwanted where no barrier can be set */
  watchMs: number
  /** for a process to end after its stdin was closed, and again after each signal */
  exitMs: number
}

/**
 * `replyMs`: servers under test answer in milliseconds; 10 s is where `ping.response.prompt` draws
 * its outer line. `graceMs`: a second message written right behind a first one arrives within a
 * scheduler tick; 60 ms is far beyond it on a loaded machine and cheap enough to pay per probe.
 * `watchMs`: a server that greets too early does it at once, not after a second.
 */
export const DEFAULT_TIMEOUTS: Timeouts = {
  handshakeMs: 20_000,
  replyMs: 10_000,
  graceMs: 60,
  watchMs: 1_000,
  exitMs: 5_000,
}
