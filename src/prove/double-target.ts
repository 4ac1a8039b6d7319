/** The double as a target: our server for clients under test, which our own suites for servers judge. */
import { PassThrough } from 'node:stream'
import { openDouble } from '../peers/double/create.ts'
import type { ServerSetup } from '../peers/double/double.ts'
import { relay } from '../peers/double/relay.ts'
import type { Exit, Running } from '../peers/process.ts'
import type { Via } from '../spec/catalogue.ts'
import type { Revision } from '../spec/revision.ts'
import { createLog } from '../wire/log.ts'
import { signal } from '../wire/wait.ts'
import type { ReferenceTarget } from './reference-target.ts'

export async function doubleTarget(via: Via, revision: Revision, setup: ServerSetup): Promise<ReferenceTarget> {
  let fault: Error | undefined
  const double = await openDouble({
    via,
    revision,
    setup,
    log: createLog(),
    context: { channel: 'mcp', session: 'd' },
    replyMs: 1_500,
    onFault: error => {
      fault ??= error
    },
  })
  const close = async (): Promise<void> => {
    double.end()
    await double.close()
    if (fault !== undefined) throw fault
  }
  const { url = '', path = '' } = double
  return via === 'http'
    ? { access: { via, url, headers: [], elsewhere: ['127.0.0.2'] }, close }
    : { access: { via, launch: () => relayInside(path) }, close }
}

/** The relay without a process of its own: the same code, with streams in place of stdin and stdout. */
function relayInside(path: string): Running {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const exited = signal<Exit>()
  let exit: Exit | undefined
  let notify: (name: string) => void = () => {}
  const leave = (value: Exit): void => {
    if (exit !== undefined) return
    exit = value
    stdout.end()
    stderr.end()
    exited.resolve(value)
  }
  const breakOff = relay(path, {
    stdin,
    stdout,
    stderr,
    onSignal: see => {
      notify = see
    },
    exit: code => leave({ code }),
  })
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    get exit() {
      return exit
    },
    signal(name) {
      if (name !== 'SIGKILL') return notify(name)
      breakOff()
      leave({ signal: name })
    },
  }
}
