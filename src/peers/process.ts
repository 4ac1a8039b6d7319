/**
 * Starts a command and ends it for certain. The child leads a process group of its own, and it is
 * the group that is ended, so that what a launcher (npx, a shell script) started goes with it. With
 * execa the `exit` event is the sign of death: its promise also waits for grandchildren that keep
 * the pipes open.
 */
import type { Readable, Writable } from 'node:stream'
import { execa } from 'execa'
import { within } from '../wire/wait.ts'
import type { Argv, LaunchOptions } from './target.ts'

export interface Exit {
  code?: number
  signal?: string
  /** the command could not be started at all */
  failed?: string
}

/** A running implementation over pipes; a process, or the reference in this very process. */
export interface Running {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly pid?: number
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<Exit>
  readonly exit: Exit | undefined
  signal(signal: NodeJS.Signals): void
}

export type Launch = () => Running

const groups = new Set<number>()

/** Ends every process group that is still there; for the exit of our own process. */
export function killAllGroups(): void {
  for (const pid of groups) killGroup(pid, 'SIGKILL')
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already, which is what we want.
  }
}

let guarded = false
function guardExit(): void {
  if (guarded) return
  guarded = true
  process.on('exit', killAllGroups)
}

export function launchCommand(argv: Argv, launch: LaunchOptions = {}): Running {
  const [file, ...args] = argv
  if (file === undefined) throw new Error('a command needs at least one word')
  guardExit()
  const child = execa(file, args, {
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
    env: launch.env ?? {},
    stripFinalNewline: false,
  })
  const pid = child.pid
  if (pid !== undefined) groups.add(pid)
  let exit: Exit | undefined
  const exited = new Promise<Exit>(resolve => {
    const done = (value: Exit): void => {
      if (exit !== undefined) return
      exit = value
      resolve(value)
    }
    child.once('exit', (code, signal) => {
      done({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) })
    })
    // A command that cannot be started never emits `exit`.
    void child.then(outcome => {
      if (pid === undefined) done({ failed: startFailure(file, outcome) })
    })
  })
  // A pipe that breaks because the target died is seen as the target's end, not as our exception.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ...(pid === undefined ? {} : { pid }),
    exited,
    get exit() {
      return exit
    },
    signal(signal) {
      if (pid !== undefined) killGroup(pid, signal)
    },
  }
}

function startFailure(file: string, outcome: { code?: string | undefined; shortMessage?: string | undefined }): string {
  if (outcome.code === 'ENOENT') return `there is no command "${file}" (or no such working directory)`
  if (outcome.code === 'EACCES') return `"${file}" may not be executed`
  return outcome.shortMessage ?? `"${file}" could not be started`
}

/** Waits for the exit, but no longer than `withinMs`. */
export const exitWithin = async (running: Running, withinMs: number): Promise<Exit | undefined> =>
  running.exit ?? (await within(running.exited, withinMs))

/** Ends the process as a client should (basic/lifecycle#stdio): stdin closed, SIGTERM, SIGKILL. `sweep` comes behind it. */
export async function shutDown(running: Running, timeoutMs: number): Promise<void> {
  running.stdin.end()
  if ((await exitWithin(running, timeoutMs)) === undefined) await endBySignals(running, timeoutMs)
}

/** SIGTERM, and SIGKILL where that has no effect within the time. */
export async function endBySignals(running: Running, timeoutMs: number): Promise<Exit | undefined> {
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    running.signal(name)
    const exit = await exitWithin(running, timeoutMs)
    if (exit !== undefined) return exit
  }
  return running.exit
}

/** Ends what is left of the group (a child that outlived the leader) and lets go of the pipes. */
export function sweep(running: Running): void {
  running.signal('SIGKILL')
  running.stdout.destroy()
  running.stderr.destroy()
  running.stdin.destroy()
  if (running.pid !== undefined) groups.delete(running.pid)
}
