/** One start of the client: our server plays the script, and what happened is put together when the client has ended. */
import type { ClientAccess } from '../../peers/client-access.ts'
import { type OpenDouble, openDouble } from '../../peers/double/create.ts'
import type { ServerSetup } from '../../peers/double/double.ts'
import { type Exit, endBySignals, exitWithin, type Running, sweep } from '../../peers/process.ts'
import type { Via } from '../../spec/catalogue.ts'
import { isRevision, type Revision } from '../../spec/revision.ts'
import type { ClientRun, Script, StepReport } from '../../suite/client-scenario.ts'
import { at, type Json, textAt } from '../../wire/json-rpc.ts'
import { createLineReader } from '../../wire/lines.ts'
import type { Frame, FrameContext, WireLog } from '../../wire/log.ts'
import { sleep, within } from '../../wire/wait.ts'

export interface ClientTimeouts {
  /** for one start of the client, from its launch to its end */
  clientMs: number
  /** for its answer to one question of ours */
  replyMs: number
  /** for its process to end after a signal */
  exitMs: number
  /** what is still on its way when it has ended is read for that long */
  graceMs: number
}

/** The official suite gives a client 30 s, too. */
export const DEFAULT_CLIENT_TIMEOUTS: ClientTimeouts = { clientMs: 30_000, replyMs: 5_000, exitMs: 500, graceMs: 60 }

export interface StartOptions {
  access: ClientAccess
  revision: Revision
  timeouts: ClientTimeouts
  log: WireLog
  /** the label of this start in the log, and the scenario that it is for */
  label: string
  scenario: string
  signal?: AbortSignal
  /** the name that the client is given instead of the script's own */
  name?: string
}

export interface Started {
  run: ClientRun<unknown>
  /** an exception of ours in the script */
  error: Error | undefined
}

/** Frames of one start that are kept for its judges; a client that floods us is judged by its beginning. */
const KEPT_CHARS = 32 * 1024 * 1024
/** Output of a client that is kept in the log; its step lines are read all the same. */
const MAX_OUTPUT_BYTES = 1024 * 1024
/** No step line is longer; what is, is something else. */
const MAX_STEP_BYTES = 64 * 1024

/** What the log has of one start, as it comes. */
function framesOf(log: WireLog, label: string): { frames: Frame[]; unsubscribe(): void } {
  const frames: Frame[] = []
  let kept = 0
  const unsubscribe = log.subscribe(frame => {
    if (frame.session !== label && !frame.session.startsWith(`${label}.`)) return
    kept += frame.kind === 'message' ? frame.text.length : 200
    if (kept < KEPT_CHARS) frames.push(frame)
  })
  return { frames, unsubscribe }
}

const codeOf = (exit: Exit | undefined): { code?: number; signal?: string } => ({
  ...(exit?.code === undefined ? {} : { code: exit.code }),
  ...(exit?.signal === undefined ? {} : { signal: exit.signal }),
})

export async function startClient(script: Script<unknown>, options: StartOptions): Promise<Started> {
  const { access, revision, timeouts, log, label } = options
  const context: FrameContext = { channel: 'mcp', session: label, process: label, scenario: options.scenario }
  const { frames, unsubscribe } = framesOf(log, label)
  let error: Error | undefined
  const fault = (problem: unknown): void => {
    error ??= problem instanceof Error ? problem : new Error(String(problem))
  }
  const setup = setupOf(script, access.via, revision, fault)
  const double = await openDouble({
    via: access.via,
    revision,
    setup,
    log,
    context,
    replyMs: timeouts.replyMs,
    onFault: fault,
  })
  const notes = script.notes?.()
  const playing = (async () => script.play?.(double, notes))().catch(fault)
  let running: Running | undefined
  try {
    running = access.launch({
      env: environment(script, options),
      ...(double.url === undefined ? {} : { url: double.url }),
      ...(double.path === undefined ? {} : { path: double.path }),
    })
    const steps = readSteps(running, log, context)
    const stopped = await awaitEnd(running, timeouts, script.lastsMs ?? 0, options.signal)
    // What the log has behind this is our doing: the signals go to its whole group, our relay included.
    const asked = stopped ? log.add({ ...context, ...STOPPED }) : undefined
    const exit = stopped ? await endBySignals(running, timeouts.exitMs) : running.exit
    // Its last bytes may still be in a pipe or a socket.
    await sleep(timeouts.graceMs)
    const end = asked ?? log.add({ ...context, ...endOf(exit) })
    double.end()
    await within(playing, timeouts.replyMs)
    const run: ClientRun<unknown> = {
      via: access.via,
      revision: negotiated(double, revision),
      drive: script.drive,
      notes,
      conversations: double.conversations,
      requests: double.requests,
      launches: double.launches,
      frames,
      messages: double.messages,
      end: { how: stopped ? 'stopped' : 'exited', ...codeOf(exit), frame: end, atMs: end.at },
      steps,
    }
    return { run, error }
  } finally {
    if (running !== undefined) sweep(running)
    double.end()
    await double.close()
    unsubscribe()
  }
}

/** A script that fails before the play has begun is a fault of ours like any other: the client meets a plain server. */
function setupOf(
  script: Script<unknown>,
  via: Via,
  revision: Revision,
  fault: (problem: unknown) => void,
): ServerSetup {
  try {
    return script.setup?.({ via, revision }) ?? {}
  } catch (problem) {
    fault(problem)
    return {}
  }
}

/** Waits for the end of the client; true when it has to be ended by us. */
async function awaitEnd(
  running: Running,
  timeouts: ClientTimeouts,
  moreMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let interrupt = (): void => {}
  const interrupted = new Promise<undefined>(resolve => {
    interrupt = () => resolve(undefined)
    if (signal?.aborted) interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
  })
  const exit = await Promise.race([exitWithin(running, timeouts.clientMs + moreMs), interrupted])
  signal?.removeEventListener('abort', interrupt)
  return (exit ?? running.exit) === undefined
}

const STOPPED = { kind: 'end', why: 'asked', detail: 'the client was ended after its time was over' } as const

function endOf(exit: Exit | undefined) {
  if (exit?.failed !== undefined) return { kind: 'end', why: 'failed', detail: exit.failed } as const
  return exit?.signal === undefined
    ? ({ kind: 'end', why: 'exited', ...(exit?.code === undefined ? {} : { code: exit.code }) } as const)
    : ({ kind: 'end', why: 'killed', signal: exit.signal } as const)
}

/** What the client under test gets to know (reports/survey/drivers/README.md). */
function environment(script: Script<unknown>, options: StartOptions): Record<string, string> {
  const { steps, client } = script.drive
  const name = options.name ?? script.drive.name
  const details =
    steps === undefined && client === undefined ? undefined : { name, client: client ?? {}, steps: steps ?? [] }
  return {
    MCP_CONFORMANCE_SCENARIO: name,
    MCP_CONFORMANCE_PROTOCOL_VERSION: options.revision,
    ...(details === undefined || options.name !== undefined
      ? {}
      : { MCP_CONFORMANCE_CONTEXT: JSON.stringify(details) }),
  }
}

const negotiated = (double: OpenDouble, tested: Revision): Revision => {
  const version = double.conversations[0]?.version
  return isRevision(version) ? version : tested
}

/** Logs what the client prints, and reads the lines that tell what became of its steps. */
function readSteps(running: Running, log: WireLog, context: FrameContext): Map<number, StepReport> {
  const steps = new Map<number, StepReport>()
  const reader = createLineReader(({ json }) => {
    const step = stepIn(json)
    if (step !== undefined) steps.set(...step)
  }, MAX_STEP_BYTES)
  let total = 0
  const keep = (chunk: Buffer): void => {
    total += chunk.length
    if (total <= MAX_OUTPUT_BYTES) log.add({ ...context, kind: 'stderr', text: chunk.toString('utf8') })
  }
  running.stdout.on('data', (chunk: Buffer) => {
    keep(chunk)
    reader.feed(chunk)
  })
  running.stdout.once('end', () => reader.end())
  running.stderr.on('data', keep)
  return steps
}

function stepIn(json: Json | undefined): [number, StepReport] | undefined {
  const number = at(json, 'step')
  const outcome = at(json, 'outcome')
  if (typeof number !== 'number') return undefined
  if (outcome !== 'result' && outcome !== 'error' && outcome !== 'unsupported') return undefined
  const code = at(json, 'code')
  const message = textAt(json, 'message')
  return [
    number,
    { outcome, ...(typeof code === 'number' ? { code } : {}), ...(message === undefined ? {} : { message }) },
  ]
}
