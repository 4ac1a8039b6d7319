/** The reference client as a driver: told by its environment what to do, and telling on stdout what became of it. */
import { parseJson } from '../../wire/json-rpc.ts'
import { signal } from '../../wire/wait.ts'
import type { Tamper } from '../outgoing.ts'
import { type Client, createClient, type Place } from './client.ts'
import { createClock } from './clock.ts'
import { perform } from './perform.ts'
import type { ClientPolicies } from './policies.ts'
import type { Reply } from './reply.ts'
import type { ServerProcess } from './server-process.ts'
import { type Plan, planFor } from './steps.ts'

export type { ServerProcess } from './server-process.ts'

/** All that the client has of the world around it; many clients may live in one process. */
export interface ClientWorld {
  args: string[]
  env: Record<string, string | undefined>
  out(text: string): void
  launch(words: readonly string[]): ServerProcess
  /** Aborted: the process was killed. */
  signal?: AbortSignal
}

/** Runs the client to its end, and gives the exit code. */
export async function runClient(policies: ClientPolicies, tamper: Tamper, world: ClientWorld): Promise<number> {
  const { exits } = policies
  const plan = planFor(world.env)
  if (plan === undefined) return exits.unknownScenario
  const place = placeOf(policies, world)
  if (place === undefined) {
    world.out('there is no server: neither a URL nor MCP_CONFORMANCE_SERVER_COMMAND\n')
    return exits.failed
  }
  const end = signal<number>()
  // Who has ended says nothing any more, whatever is still winding down.
  const living: ClientWorld = {
    ...world,
    out(text) {
      if (!end.done) world.out(text)
    },
  }
  const crash = (problem: unknown): void => {
    if (end.done) return
    world.out(`unhandled: ${problem instanceof Error ? problem.message : String(problem)}\n`)
    end.resolve(exits.crashed)
  }
  const clock = createClock(crash)
  const client = createClient({
    policies,
    tamper,
    clock,
    settings: plan.settings,
    place,
    tested: world.env.MCP_CONFORMANCE_PROTOCOL_VERSION,
    // The words of a server must not look like ours.
    show: text => living.out(`${text.replace(/^/gm, '| ')}\n`),
    crash,
  })
  const killed = (): void => end.resolve(exits.failed)
  world.signal?.addEventListener('abort', killed)
  if (world.signal?.aborted === true) killed()
  else follow(client, plan, living).then(success => end.resolve(success ? exits.done : exits.failed), crash)
  const code = await end.promise
  world.signal?.removeEventListener('abort', killed)
  client.destroy()
  clock.stop()
  return code
}

/** Connects, does the steps and closes; false where the connection or, if that counts, a step has failed. */
async function follow(client: Client, { steps, isStrict }: Plan, world: ClientWorld): Promise<boolean> {
  const opened = await client.open()
  if (opened.kind !== 'result') {
    world.out(`the connection failed: ${JSON.stringify(opened.message)}\n`)
    await client.close()
    return false
  }
  let isGood = true
  const judge = (step: number, reply: Reply): void => {
    world.out(`${JSON.stringify(outcomeOf(step, reply))}\n`)
    const isRefused = reply.kind === 'failed' && reply.why === 'refused'
    if (isStrict && reply.kind !== 'result' && !isRefused) isGood = false
    if (reply.kind === 'failed' && reply.why === 'unauthorized') isGood = false
  }
  const meanwhile: Promise<void>[] = []
  for (const [index, step] of steps.entries()) {
    if (step.does === 'reconnect') await Promise.all(meanwhile)
    const performed = perform(client, step).then(reply => judge(index, reply))
    if (step.does === 'request' && step.options.meanwhile) meanwhile.push(performed)
    else await performed
  }
  await Promise.all(meanwhile)
  const isLost = client.isDown
  await client.close()
  return isGood && !isLost
}

/** What is told of a step. */
function outcomeOf(step: number, reply: Reply): Record<string, unknown> {
  if (reply.kind === 'result') return { step, outcome: 'result' }
  if (reply.kind === 'error') return { step, outcome: 'error', code: reply.code, message: reply.message }
  return { step, outcome: reply.why === 'unsupported' ? 'unsupported' : 'error', message: reply.message }
}

function placeOf(policies: ClientPolicies, { args, env, launch }: ClientWorld): Place | undefined {
  const words = parseJson(env.MCP_CONFORMANCE_SERVER_COMMAND ?? '')
  if (Array.isArray(words) && words.every(word => typeof word === 'string') && words.length > 0) {
    const started = policies.launches(words as string[])
    return started === undefined ? undefined : { launch: () => launch(started) }
  }
  const url = args.at(-1)
  return url !== undefined && URL.canParse(url) ? { url } : undefined
}
