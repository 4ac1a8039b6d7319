/**
 * The server process that a client under test starts over stdio: it passes on what comes, and lets the
 * harness decide everything, so that script and log stay in one place. JSON lines over a local socket, bytes as base64.
 */
import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { createLineReader, MAX_LINE_BYTES } from '../../wire/lines.ts'

/** To the harness. */
export type FromRelay = { in: string } | { eof: true } | { signal: string }
/** To the relay. */
export type ToRelay = { out: string } | { err: string } | { closeOut: true } | { exit: number }

/** The longest message, as base64. */
export const MAX_ORDER_BYTES = 2 * MAX_LINE_BYTES

export interface RelayWorld {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** Calls back with each signal that the process gets. */
  onSignal(see: (name: string) => void): void
  exit(code: number): void
}

/** Returns the function that breaks the connection off, as SIGKILL does. */
export function relay(path: string, world: RelayWorld): () => void {
  const socket = connect(path)
  const tell = (message: FromRelay): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`)
  }
  const orders = createLineReader(({ json }) => obey(json as ToRelay, world), MAX_ORDER_BYTES)
  socket.on('data', (chunk: Buffer) => orders.feed(chunk))
  // Without the harness there is nobody to speak for: whoever waits sees the end of the server.
  socket.on('close', () => world.exit(0))
  socket.on('error', () => world.exit(1))
  world.stdout.on('error', () => {})
  world.stderr.on('error', () => {})
  world.stdin.on('data', (chunk: Buffer) => tell({ in: Buffer.from(chunk).toString('base64') }))
  world.stdin.once('end', () => tell({ eof: true }))
  world.stdin.on('error', () => tell({ eof: true }))
  world.onSignal(name => tell({ signal: name }))
  return () => socket.destroy()
}

function obey(order: ToRelay, world: RelayWorld): void {
  if ('out' in order) world.stdout.write(Buffer.from(order.out, 'base64'))
  else if ('err' in order) world.stderr.write(Buffer.from(order.err, 'base64'))
  else if ('closeOut' in order) world.stdout.end()
  else {
    // What was written is to arrive before the process is gone.
    world.stdout.write('', () => world.exit(order.exit))
  }
}
