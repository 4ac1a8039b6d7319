/** The first start of a client: does it come to our server, and as whom? Also what an unprepared client does by itself. */
import { randomUUID } from 'node:crypto'
import type { AnyClientScenario, ClientRun, Script } from '../../suite/client-scenario.ts'
import { at, isObject, textAt } from '../../wire/json-rpc.ts'
import { loadSuite } from '../discover.ts'
import type { RunOutcome, TargetFacts, Trouble } from '../result.ts'
import type { Begun } from '../role-driver.ts'
import { SANITY } from '../suite-id.ts'
import type { ClientSituation } from './client-situation.ts'
import { endOf, UNKNOWN_SCENARIO } from './judge.ts'

/** Nothing is played, and nothing but a handshake is asked for. */
export const FIRST: Script<unknown> = { drive: { name: 'initialize' } }

/** The script of the first conversation, by whatever value. */
const isPlain = ({ drive, setup, play }: Script<unknown>): boolean =>
  drive.name === FIRST.drive.name && setup === undefined && play === undefined

export async function beginClient(situation: ClientSituation, outcome: RunOutcome): Promise<Begun> {
  const { options, start } = situation
  const { run: first } = await start(FIRST, SANITY)
  const facts = factsOf(first, outcome.targets[0] as TargetFacts)
  outcome.targets = [facts]
  const isCut = options.signal.aborted
  const trouble = isCut ? undefined : troubleOf(first, options.at)
  if (trouble !== undefined) {
    outcome.trouble = trouble
    return { revision: options.revision, capabilities: {}, only: { reason: trouble.sentence, judges: () => false } }
  }
  options.listen({ type: 'target-opened', target: facts })
  const begun = { revision: first.revision, capabilities: {} }
  if (isCut) return begun
  if (first.conversations.some(one => one.initialized)) {
    await checkHonesty(situation, outcome)
    return begun
  }
  // A client that never got through the handshake shows at a plain server what it does; all others would meet the same.
  const reason = 'the client does not get through a plain handshake'
  const judges = async (id: string): Promise<boolean> => isPlain(((await loadSuite(id)) as AnyClientScenario).script)
  return { ...begun, only: { reason, judges: one => judges(one.head.id) } }
}

/** A driver that claims to have done a scenario that does not exist does not say what it did of the others. */
async function checkHonesty({ start }: ClientSituation, outcome: RunOutcome): Promise<void> {
  const name = `no-such-scenario-${randomUUID().slice(0, 8)}`
  const { run } = await start(FIRST, SANITY, { name })
  if (run.end.code === 0 && run.messages.length === 0) {
    outcome.notes.push(
      `Asked for a scenario that does not exist (${name}) the client does nothing and exits with 0; a driver should say so with exit code ${UNKNOWN_SCENARIO}.`,
    )
  }
}

function factsOf(run: ClientRun<unknown>, base: TargetFacts): TargetFacts {
  const first = run.conversations.find(one => one.initialized) ?? run.conversations[0]
  const hello = first?.hello
  if (hello === undefined) return base
  const name = textAt(hello, 'clientInfo', 'name')
  const version = textAt(hello, 'clientInfo', 'version')
  const capabilities = at(hello, 'capabilities')
  return {
    ...base,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    protocolVersion: run.revision,
    ...(isObject(capabilities) ? { capabilities } : {}),
  }
}

/** Why nothing can be judged: the client never came to our server. */
function troubleOf(run: ClientRun<unknown>, command: string): Trouble | undefined {
  if (run.requests.length > 0 || run.messages.length > 0 || run.conversations.length > 0) return undefined
  const failed = run.end.frame.kind === 'end' && run.end.frame.why === 'failed'
  if (failed) return { kind: 'unreachable', sentence: `${command} cannot be started: ${endOf(run)}.` }
  const how =
    run.via === 'http'
      ? 'it is given our URL as its last argument (or in place of {url})'
      : 'it is given the words that start our server in MCP_CONFORMANCE_SERVER_COMMAND (or in place of {server})'
  const came = run.launches > 0 ? 'started our server and sent nothing' : 'never came to our server'
  return { kind: 'silent', sentence: `${command} ${came} (${endOf(run)}); ${how}.` }
}
