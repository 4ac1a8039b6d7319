/** Runs the suites against one target: sanity first and last, lanes in between, reds confirmed at the end. */

import { NotReady } from '../peers/launched-server.ts'
import type { OpenPeer } from '../peers/open-peer.ts'
import { createSessionFactory } from '../peers/session-factory.ts'
import { factsAbout, type Revision } from '../spec/revision.ts'
import type { AnyMonitor } from '../suite/monitor-definition.ts'
import type { AnyScenario } from '../suite/server-scenario.ts'
import { createLog } from '../wire/log.ts'
import { confirmReds } from './confirm.ts'
import { loadSuite } from './discover.ts'
import { monitorResults, seesRed } from './monitor-results.ts'
import { createObserver } from './observe.ts'
import { type Planned, planMonitors, planScenarios } from './plan.ts'
import type { Result, RunOutcome, TargetFacts, Trouble } from './result.ts'
import { byPlace, type ResultContext } from './results.ts'
import { factsOf, findLiveness, troubleOf, waitsForHeaders } from './sanity.ts'
import { judgeScenario, type Run, type RunOptions, skipAll } from './scenario.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { isRed } from './verdict.ts'

export async function runTarget(options: RunOptions): Promise<RunOutcome> {
  const { access, log, heads, selection } = options
  const base: Pick<TargetFacts, 'role' | 'via' | 'at'> = { role: options.role, via: access.via, at: options.at }
  const monitors = await Promise.all(
    planMonitors(heads, options.role, selection).map(async ({ id }) => ({
      id,
      monitor: (await loadSuite(id)) as AnyMonitor,
    })),
  )
  const observer = createObserver(monitors, log, { via: access.via, role: options.role, offered: options.revision })
  const opener = createSessionFactory({
    access,
    revision: options.revision,
    timeouts: options.timeouts,
    log,
    callTools: options.callTools,
    ahead: options.jobs,
    onSession: (session, event) => {
      if (event === 'ends') observer.end(session)
    },
  })
  const context: ResultContext = {
    role: options.role,
    via: access.via,
    spec: options.revision,
    reproduce: options.reproduce,
  }
  const run: Run = { options, opener, observer, monitors, context }
  const outcome: RunOutcome = {
    targets: [base],
    results: [],
    interrupted: false,
    unstable: false,
    processStarts: 0,
    notes: [],
  }
  const interrupt = (): void => opener.interrupt()
  options.signal.addEventListener('abort', interrupt, { once: true })
  try {
    await runAll(run, base, outcome)
  } finally {
    options.signal.removeEventListener('abort', interrupt)
    await opener.close()
    observer.close()
    outcome.results.push(...monitorResults(observer, heads, selection, context))
    await settleReds(run, outcome)
    outcome.processStarts = opener.starts
    outcome.interrupted = options.signal.aborted
    outcome.results.sort(byPlace)
    options.listen({ type: 'run-ended', outcome })
  }
  return outcome
}

/** Reds are confirmed after the run proper, when nothing else is going on. */
async function settleReds(run: Run, outcome: RunOutcome): Promise<void> {
  const { signal } = run.options
  if (signal.aborted || !outcome.results.some(result => isRed(result.verdict))) return
  outcome.unstable = await confirmReds(run, outcome.results)
}

async function runAll(run: Run, base: Pick<TargetFacts, 'role' | 'via' | 'at'>, outcome: RunOutcome): Promise<void> {
  const { options, opener } = run
  const first = await openFirst(run, base, outcome)
  const plan = (revision: Revision, capabilities = {}): Planned[] =>
    planScenarios(options.heads, { role: options.role, via: base.via, revision, capabilities }, options.selection)
  if (first === undefined) {
    const reason = outcome.trouble?.sentence ?? 'the target could not be reached'
    const planned = plan(options.revision)
    // What it did say is judged: the scenarios that need no handshake still run, unless it said nothing at all.
    const speaks = outcome.trouble?.kind === 'refused' || outcome.trouble?.kind === 'malformed'
    const rest = planned.filter(one => !(speaks && one.head.session === 'no-handshake'))
    for (const one of rest) outcome.results.push(...skipAll(run.context, one, 'untested', reason))
    await runLanes(
      run,
      planned.filter(one => !rest.includes(one)),
      outcome,
    )
    return
  }
  run.context.spec = first.revision
  const planned = plan(first.revision, first.capabilities)
  options.listen({ type: 'run-started', planned: planned.length })
  void first.close()
  await runLanes(run, planned, outcome)
  if (!options.signal.aborted) await openLast(run, outcome)
  opener.reserve(0)
}

async function openFirst(
  run: Run,
  base: Pick<TargetFacts, 'role' | 'via' | 'at'>,
  outcome: RunOutcome,
): Promise<OpenPeer | undefined> {
  const { options, opener } = run
  let peer: OpenPeer
  try {
    peer = await opener.open({}, 'sanity')
  } catch (problem) {
    if (!(problem instanceof NotReady)) throw problem
    outcome.trouble = { kind: 'unreachable', sentence: `${problem.message}.` }
    return undefined
  }
  if (peer.introduction?.kind === 'failed' && options.revisionIs === 'offered') peer = await inAnotherFamily(run, peer)
  const facts = factsOf(base, peer)
  outcome.targets = [facts]
  options.listen({ type: 'target-opened', target: facts })
  const heard = peer.heard().length > 0
  const trouble =
    troubleOf(options.at, peer.opening, heard, options.timeouts.handshakeMs) ??
    demandedVersion(options, facts) ??
    undefined
  if (trouble === undefined) {
    if (factsAbout(peer.revision).judged === 'in part')
      outcome.notes.push(`Revision ${peer.revision} is judged in part: what no check speaks of was not looked at.`)
    const liveness = await findLiveness(peer, options.timeouts.replyMs)
    if (liveness === undefined) {
      outcome.notes.push('After the handshake the target answered neither ping nor any other request.')
    } else if (liveness !== peer.liveness) {
      opener.liveness = liveness
      outcome.notes.push(`The target does not answer ping; ${liveness} is used to see whether it is alive.`)
    }
    return peer
  }
  outcome.trouble = await refined(run, trouble)
  await peer.close()
  return undefined
}

/** A target that answers but refuses to be opened may speak revisions of another family only. */
async function inAnotherFamily(run: Run, refused: OpenPeer): Promise<OpenPeer> {
  const reply = refused.opening
  const status = reply?.kind === 'http-error' ? reply.http.status : 0
  const mayTry = reply?.kind === 'error' || (status >= 400 && status < 500 && status !== 401 && status !== 403)
  if (!mayTry || run.options.signal.aborted) return refused
  const other = await run.opener.probeFamilies('sanity')
  if (other === undefined) return refused
  await refused.close()
  // It refused a revision that it never claimed to speak: nothing of that is held against it.
  run.observer.forget()
  return other
}

/** A server over stdio that is silent gets one more chance to show why. */
async function refined(run: Run, trouble: Trouble): Promise<Trouble> {
  const { options } = run
  if (trouble.kind !== 'silent' || options.access.via !== 'stdio' || options.signal.aborted) return trouble
  // With headers we break the rules ourselves: nothing of that conversation is judged, so it has a log of its own.
  const { access, revision, timeouts } = options
  const opener = createSessionFactory({ access, revision, timeouts, log: createLog(), ahead: 0 })
  const answers = await waitsForHeaders(await opener.open('no-handshake'))
  await opener.close()
  if (!answers) return trouble
  return {
    kind: 'silent',
    sentence: `${options.at} answers only messages with Content-Length headers; MCP over stdio is one JSON message a line, without headers.`,
  }
}

function demandedVersion(options: RunOptions, facts: TargetFacts): Trouble | undefined {
  if (options.revisionIs === 'offered' || facts.protocolVersion === options.revision) return undefined
  const answer = facts.protocolVersion ?? 'no version'
  return {
    kind: 'version-refused',
    sentence: `${options.at} was offered ${options.revision} as --spec demands and answered ${answer}; leave --spec out to judge what is negotiated.`,
  }
}

/** Is it still there? A target that died under the suites is named, not silently half tested. */
async function openLast(run: Run, outcome: RunOutcome): Promise<void> {
  const peer = await run.opener.open({}, 'sanity')
  if (peer.opening?.kind !== 'result') {
    outcome.trouble = {
      kind: 'died',
      sentence: `${run.options.at} no longer answers initialize at the end of the run.`,
    }
  }
  await peer.close()
}

async function runLanes(run: Run, planned: Planned[], outcome: RunOutcome): Promise<void> {
  const { options, opener } = run
  const { listen, signal } = options
  let done = 0
  let bailed = false
  let lost: string | undefined
  const ended = (one: Planned, results: Result[]): void => {
    done += 1
    outcome.results.push(...results)
    if (options.bail && (results.some(result => isRed(result.verdict)) || seesRed(run.observer, run.context)))
      bailed = true
    listen({ type: 'scenario-ended', id: one.head.id, results, done, planned: planned.length })
  }
  const waiting = planned.filter(one => one.skip === undefined)
  for (const one of planned) {
    if (one.skip !== undefined) ended(one, skipAll(run.context, one, 'skip', one.skip))
  }
  const ownProcess = (): number => waiting.filter(one => one.head.session !== 'shared').length
  const lane = async (queue: Planned[], sessions: Sessions): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      waiting.splice(waiting.indexOf(one), 1)
      const why = signal.aborted ? 'the run was interrupted' : bailed ? '--bail: a failure came before' : lost
      if (why !== undefined) {
        ended(one, skipAll(run.context, one, 'untested', why))
        continue
      }
      listen({ type: 'scenario-started', id: one.head.id })
      const outcomeOfOne = await runScenario(run, one, sessions)
      if (outcomeOfOne.lost !== undefined) lost ??= outcomeOfOne.lost
      if (base(run) === 'stdio') opener.reserve(ownProcess())
      ended(one, outcomeOfOne.results)
    }
    await sessions.close()
  }
  const together = planned.filter(one => one.skip === undefined && !one.head.exclusive)
  const alone = planned.filter(one => one.skip === undefined && one.head.exclusive)
  const lanes = Math.max(1, Math.min(options.jobs, together.length))
  // Shared sessions first: they keep every lane busy while processes for the others start.
  const queue = [...together].sort((a, b) => Number(a.head.session !== 'shared') - Number(b.head.session !== 'shared'))
  await Promise.all(Array.from({ length: lanes }, () => lane(queue, createSessions(opener, 'shared'))))
  await lane(alone, createSessions(opener, 'shared'))
}

const base = (run: Run): 'stdio' | 'http' => run.options.access.via

async function runScenario(run: Run, one: Planned, sessions: Sessions): Promise<{ results: Result[]; lost?: string }> {
  const scenario = (await loadSuite(one.head.id)) as AnyScenario
  let taken: Awaited<ReturnType<Sessions['take']>>
  try {
    taken = await sessions.take(one.head.id, scenario)
  } catch (problem) {
    if (!(problem instanceof NotReady)) throw problem
    return { results: skipAll(run.context, one, 'untested', problem.message), lost: problem.message }
  }
  if ('why' in taken) {
    const reason = `no session could be opened: ${taken.why}`
    return { results: skipAll(run.context, one, 'untested', reason), ...(taken.dead ? { lost: reason } : {}) }
  }
  const results = await judgeScenario(run.context, one, scenario, taken.peer)
  await sessions.give(scenario, taken.peer)
  return { results }
}
