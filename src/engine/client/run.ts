/** Runs the scripts against one client: sanity first, lanes in between, reds confirmed at the end. */
import { randomUUID } from 'node:crypto'
import type { Revision } from '../../spec/revision.ts'
import type { AnyClientScenario, ClientRun, Script } from '../../suite/client-scenario.ts'
import type { AnyMonitor } from '../../suite/monitor-definition.ts'
import { at, isObject, textAt } from '../../wire/json-rpc.ts'
import { loadSuite } from '../discover.ts'
import { monitorResults, seesRed } from '../monitor-results.ts'
import { createObserver } from '../observe.ts'
import { type Planned, planMonitors, planScenarios } from '../plan.ts'
import type { RunOutcome, TargetFacts, Trouble } from '../result.ts'
import { byPlace, type ResultContext } from '../results.ts'
import { resultsOf, skipAll } from '../scenario.ts'
import { isRed } from '../verdict.ts'
import { confirmClientReds } from './confirm.ts'
import { endOf, judgeRun, UNKNOWN_SCENARIO } from './judge.ts'
import { startClient } from './run-script.ts'
import { type ClientRunOptions, type ClientSituation, endSessions, FIRST } from './situation.ts'

/** Scenarios with the same script: one start of the client serves them all. */
export interface Group {
  script: Script<unknown>
  members: { planned: Planned; scenario: AnyClientScenario }[]
}

export async function runClientTarget(options: ClientRunOptions): Promise<RunOutcome> {
  const { access, log, heads, selection, revision } = options
  const monitors = await Promise.all(
    planMonitors(heads, 'client', selection).map(async ({ id }) => ({
      id,
      monitor: (await loadSuite(id)) as AnyMonitor,
    })),
  )
  const observer = createObserver(monitors, log, { via: access.via, role: 'client', offered: revision })
  const context: ResultContext = { role: 'client', via: access.via, spec: revision, reproduce: options.reproduce }
  let starts = 0
  const situation: ClientSituation = {
    options,
    context,
    monitors,
    observer,
    async start(script, scenario, more = {}) {
      starts += 1
      const label = `c${starts}`
      const { timeouts, signal } = options
      const started = await startClient(script, { access, revision, timeouts, log, label, scenario, signal, ...more })
      endSessions(observer, started.run)
      return started
    },
  }
  const outcome: RunOutcome = {
    targets: [{ role: 'client', via: access.via, at: options.at }],
    results: [],
    interrupted: false,
    unstable: false,
    processStarts: 0,
    notes: [],
  }
  await runAll(situation, outcome)
  observer.close()
  outcome.results.push(...monitorResults(observer, heads, selection, context))
  if (!options.signal.aborted && outcome.results.some(result => isRed(result.verdict)))
    outcome.unstable = await confirmClientReds(situation, outcome.results)
  outcome.processStarts = starts
  outcome.interrupted = options.signal.aborted
  outcome.results.sort(byPlace)
  options.listen({ type: 'run-ended', outcome })
  return outcome
}

async function runAll(situation: ClientSituation, outcome: RunOutcome): Promise<void> {
  const { options, context } = situation
  const { run: first } = await situation.start(FIRST, 'sanity')
  const facts = factsOf(first, outcome.targets[0] as TargetFacts)
  outcome.targets = [facts]
  const trouble = options.signal.aborted ? undefined : troubleOf(first, options)
  const plan = (revision: Revision): Planned[] =>
    planScenarios(options.heads, { role: 'client', via: context.via, revision, capabilities: {} }, options.selection)
  if (trouble !== undefined) {
    outcome.trouble = trouble
    for (const one of plan(options.revision))
      outcome.results.push(...skipAll(context, one, 'untested', trouble.sentence))
    return
  }
  options.listen({ type: 'target-opened', target: facts })
  context.spec = first.revision
  const groups = await groupsOf(plan(first.revision))
  // A client that never got through the handshake shows at a plain server what it does; all others would meet the same.
  const isCut = options.signal.aborted
  const shaken = isCut || first.conversations.some(one => one.initialized)
  const [run, rest] = shaken ? [groups, []] : divide(groups, group => isPlain(group.script))
  for (const group of rest) {
    const reason = 'the client does not get through a plain handshake'
    for (const { planned } of group.members) outcome.results.push(...skipAll(context, planned, 'untested', reason))
  }
  if (shaken && !isCut) await checkHonesty(situation, outcome)
  await runLanes(situation, run, outcome)
}

/** The script of the first conversation, by whatever value: nothing is played, and nothing but a handshake is asked for. */
const isPlain = ({ drive, setup, play }: Script<unknown>): boolean =>
  drive.name === FIRST.drive.name && setup === undefined && play === undefined

/** A driver that claims to have done a scenario that does not exist does not say what it did of the others. */
async function checkHonesty(situation: ClientSituation, outcome: RunOutcome): Promise<void> {
  const name = `no-such-scenario-${randomUUID().slice(0, 8)}`
  const { run } = await situation.start(FIRST, 'sanity', { name })
  if (run.end.code === 0 && run.messages.length === 0) {
    outcome.notes.push(
      `Asked for a scenario that does not exist (${name}) the client does nothing and exits with 0; a driver should say so with exit code ${UNKNOWN_SCENARIO}.`,
    )
  }
}

async function groupsOf(planned: readonly Planned[]): Promise<Group[]> {
  const groups = new Map<Script<unknown>, Group>()
  for (const one of planned) {
    const scenario = (await loadSuite(one.head.id)) as AnyClientScenario
    const group = groups.get(scenario.script) ?? { script: scenario.script, members: [] }
    group.members.push({ planned: one, scenario })
    groups.set(scenario.script, group)
  }
  return [...groups.values()]
}

function divide<T>(all: readonly T[], fits: (one: T) => boolean): [T[], T[]] {
  return [all.filter(fits), all.filter(one => !fits(one))]
}

async function runLanes(situation: ClientSituation, groups: readonly Group[], outcome: RunOutcome): Promise<void> {
  const { options, context } = situation
  const planned = groups.reduce((sum, group) => sum + group.members.length, 0)
  let done = 0
  let bailed = false
  options.listen({ type: 'run-started', planned })
  const lane = async (queue: Group[]): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      const why = options.signal.aborted
        ? 'the run was interrupted'
        : bailed
          ? '--bail: a failure came before'
          : undefined
      const started = why === undefined ? await play(situation, group) : undefined
      for (const { planned: one, scenario } of group.members) {
        const results =
          started === undefined
            ? skipAll(context, one, 'untested', why ?? 'the run was interrupted')
            : resultsOf(context, one, judgeRun(scenario, started.run, started.error))
        done += 1
        outcome.results.push(...results)
        if (options.bail && (results.some(result => isRed(result.verdict)) || seesRed(situation.observer, context)))
          bailed = true
        options.listen({ type: 'scenario-ended', id: one.head.id, results, done, planned })
      }
    }
  }
  const [alone, together] = divide(groups, group => group.members.some(({ planned: one }) => one.head.exclusive))
  // Long scripts first: the others fill the lanes beside them.
  const queue = [...together].sort((a, b) => (b.script.lastsMs ?? 0) - (a.script.lastsMs ?? 0))
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, () => lane(queue)))
  await lane([...alone])
}

async function play(situation: ClientSituation, group: Group): ReturnType<typeof startClient> {
  const id = group.members[0]?.planned.head.id ?? ''
  situation.options.listen({ type: 'scenario-started', id })
  return situation.start(group.script, id)
}

function factsOf(run: ClientRun<unknown>, base: TargetFacts): TargetFacts {
  const hello = run.conversations[0]?.hello
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
function troubleOf(run: ClientRun<unknown>, { at: command, access }: ClientRunOptions): Trouble | undefined {
  if (run.requests.length > 0 || run.messages.length > 0 || run.conversations.length > 0) return undefined
  const failed = run.end.frame.kind === 'end' && run.end.frame.why === 'failed'
  if (failed) return { kind: 'unreachable', sentence: `${command} cannot be started: ${endOf(run)}.` }
  const how =
    access.via === 'http'
      ? 'it is given our URL as its last argument (or in place of {url})'
      : 'it is given the words that start our server in MCP_CONFORMANCE_SERVER_COMMAND (or in place of {server})'
  const came = run.launches > 0 ? 'started our server and sent nothing' : 'never came to our server'
  return { kind: 'silent', sentence: `${command} ${came} (${endOf(run)}); ${how}.` }
}
