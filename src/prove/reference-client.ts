/**
 * The reference client as a target in this very process, over a real loopback socket or the relay's: quick to
 * start, and a fault is put into it by a tamper or a replaced policy.
 */
import { existsSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ClientAccess, GivenToClient } from '../peers/client-access.ts'
import { relay } from '../peers/double/relay.ts'
import { type Exit, launchCommand, type Running } from '../peers/process.ts'
import { parts } from '../reference/changes.ts'
import { type ClientPolicies, correctClient } from '../reference/client/policies.ts'
import { runClient, type ServerProcess } from '../reference/client/run.ts'
import { type Tamper, untampered } from '../reference/outgoing.ts'
import type { Via } from '../spec/catalogue.ts'
import type { ClientFault } from '../suite/client-scenario.ts'
import { signal } from '../wire/wait.ts'

/** The words of a server that is no process: `world.launch` knows what they mean. */
const INSIDE = ['in-process-relay']

export function referenceClient(via: Via, fault?: ClientFault): ClientAccess {
  if (fault !== undefined && 'program' in fault) return programClient(via, fault.program)
  const tamper = fault !== undefined && 'tamper' in fault ? fault.tamper : untampered
  return {
    via,
    launch(given) {
      const correct = correctClient()
      return runInside({ ...correct, ...replacement(fault, correct) }, tamper, given)
    },
  }
}

function replacement(fault: ClientFault | undefined, correct: ClientPolicies): Partial<ClientPolicies> {
  if (fault === undefined || !('replace' in fault)) return {}
  return typeof fault.replace === 'function' ? fault.replace(correct, parts) : fault.replace
}

const dist = (): string =>
  fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../' : '../../dist/src/', import.meta.url))

/** Faulty programs are real processes, from the built tree: exits, signals and crashes have no stand-in. */
function programClient(via: Via, name: string): ClientAccess {
  const path = `${dist()}reference/faulty/${name}.js`
  if (!existsSync(path)) throw new Error(`there is no ${path}; run npm run build`)
  return {
    via,
    launch({ env, url, path: socket }) {
      const server = socket === undefined ? [] : [process.execPath, `${dist()}peers/double/relay-main.js`, socket]
      return launchCommand([process.execPath, path, ...(url === undefined ? [] : [url])], {
        env: { ...env, ...(socket === undefined ? {} : { MCP_CONFORMANCE_SERVER_COMMAND: JSON.stringify(server) }) },
      })
    },
  }
}

function runInside(policies: ClientPolicies, tamper: Tamper, given: GivenToClient): Running {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const exited = signal<Exit>()
  const killed = new AbortController()
  let exit: Exit | undefined
  const leave = (value: Exit): void => {
    if (exit !== undefined) return
    exit = value
    stdout.end()
    stderr.end()
    exited.resolve(value)
  }
  const { url, path, env } = given
  const done = runClient(policies, tamper, {
    args: url === undefined ? [] : [url],
    env: { ...env, ...(path === undefined ? {} : { MCP_CONFORMANCE_SERVER_COMMAND: JSON.stringify(INSIDE) }) },
    out: text => {
      if (exit === undefined) stdout.write(text)
    },
    launch: () => launchInside(path ?? ''),
    signal: killed.signal,
  })
  done.then(
    code => leave({ code }),
    // A crash of the client: the text goes where a process would leave it.
    problem => {
      if (exit === undefined) stderr.write(String(problem))
      leave({ code: 70 })
    },
  )
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    get exit() {
      return exit
    },
    signal(name) {
      killed.abort()
      leave({ signal: name })
    },
  }
}

/** The relay without a process of its own: the same code, with streams in place of stdin and stdout. */
function launchInside(path: string): ServerProcess {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const exited = signal<void>()
  let notify: (name: string) => void = () => {}
  const leave = (): void => {
    stdout.end()
    stderr.end()
    exited.resolve(undefined)
  }
  const kill = relay(path, {
    stdin,
    stdout,
    stderr,
    onSignal: see => {
      notify = see
    },
    exit: leave,
  })
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    kill(name) {
      if (name !== 'SIGKILL') {
        notify(name)
        return
      }
      kill()
      leave()
    },
  }
}
