/** The client as this very process, with whatever is exchanged in it: the frame of main.ts and of the programs in faulty/. */
import { spawn } from 'node:child_process'
import { type Tamper, untampered } from '../outgoing.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { type ClientWorld, runClient, type ServerProcess } from './run.ts'

export interface ClientFaults {
  policies?: Partial<ClientPolicies>
  tamper?: Tamper
  /** in place of what the process was started with */
  args?: string[]
  /** beside the environment of the process */
  env?: Record<string, string>
}

/** Gives the exit code. */
export function runHere(faults: ClientFaults = {}): Promise<number> {
  const { policies = {}, tamper = untampered, args = process.argv.slice(2), env = {} } = faults
  const killed = new AbortController()
  const kill = (): void => killed.abort()
  process.once('SIGTERM', kill)
  process.once('SIGINT', kill)
  const world: ClientWorld = {
    args,
    env: { ...process.env, ...env },
    out: text => process.stdout.write(text),
    launch,
    signal: killed.signal,
  }
  return runClient({ ...correctClient(), ...policies }, tamper, world)
}

function launch([command = '', ...args]: readonly string[]): ServerProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    // A command that is not there: nothing was started, so nothing will exit.
    child.once('error', () => resolve())
  })
  const { stdin, stdout, stderr } = child
  return { stdin, stdout, stderr, exited, kill: name => void child.kill(name) }
}
