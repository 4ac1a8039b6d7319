/** Runs the reference client as this very process, with whatever is exchanged in it: the frame of main.ts and of the programs in faulty/. */
import { spawn } from 'node:child_process'
import { type Tamper, untampered } from '../outgoing.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { runClient, type ServerProcess } from './run.ts'

export interface ClientFaults {
  policies?: Partial<ClientPolicies>
  tamper?: Tamper
  /** the words of the command line behind the program; its own by default */
  args?: string[]
  /** on top of the environment */
  env?: Record<string, string>
}

function launch(words: readonly string[]): ServerProcess {
  const [command = '', ...args] = words
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    // A command that is not there: nothing was started, so nothing will exit.
    child.once('error', () => resolve())
  })
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, kill: name => void child.kill(name) }
}

/** Gives the exit code. */
export function runHere(faults: ClientFaults = {}): Promise<number> {
  const killed = new AbortController()
  process.once('SIGTERM', () => killed.abort())
  process.once('SIGINT', () => killed.abort())
  return runClient({ ...correctClient(), ...faults.policies }, faults.tamper ?? untampered, {
    args: faults.args ?? process.argv.slice(2),
    env: { ...process.env, ...faults.env },
    out: text => process.stdout.write(text),
    launch,
    signal: killed.signal,
  })
}
