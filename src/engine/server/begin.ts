/** The first conversation with a server: who is it, which revision does it speak, and can it be judged at all? */
import { NotReady } from '../../peers/launched-server.ts'
import type { OpenPeer } from '../../peers/open-peer.ts'
import { createSessionFactory } from '../../peers/session-factory.ts'
import { factsAbout } from '../../spec/revision.ts'
import { createLog } from '../../wire/log.ts'
import type { Planned } from '../plan.ts'
import type { RunOutcome, TargetFacts, Trouble } from '../result.ts'
import type { Begun, RunOptions } from '../role-driver.ts'
import { SANITY } from '../suite-id.ts'
import { factsOf, findLiveness, troubleOf, waitsForHeaders } from './sanity.ts'
import type { ServerRun } from './server-run.ts'
import type { Sessions } from './sessions.ts'

export async function beginServer(run: ServerRun, sessions: Sessions, outcome: RunOutcome): Promise<Begun> {
  const peer = await openFirst(run, outcome)
  if (peer === undefined) {
    // What it did say is judged: the scenarios that need no handshake still run, unless it said nothing at all.
    const speaks = outcome.trouble?.kind === 'refused' || outcome.trouble?.kind === 'malformed'
    const reason = outcome.trouble?.sentence ?? 'the target could not be reached'
    const judges = ({ head }: Planned): boolean => speaks && head.session === 'no-handshake'
    return { revision: run.options.revision, capabilities: {}, only: { reason, judges } }
  }
  const { revision, capabilities } = peer
  // Nothing was done in it but to greet: it serves the first scenario, too.
  sessions.adopt(peer)
  return { revision, capabilities }
}

async function openFirst(run: ServerRun, outcome: RunOutcome): Promise<OpenPeer | undefined> {
  const { options, factory, server } = run
  let peer: OpenPeer
  try {
    peer = await factory.open({}, SANITY)
  } catch (problem) {
    if (!(problem instanceof NotReady)) throw problem
    outcome.trouble = { kind: 'unreachable', sentence: `${problem.message}.` }
    return undefined
  }
  if (peer.introduction?.kind === 'failed' && options.revisionIs === 'offered') peer = await inAnotherFamily(run, peer)
  const facts = factsOf(outcome.targets[0] as TargetFacts, peer)
  outcome.targets = [facts]
  options.listen({ type: 'target-opened', target: facts })
  const heard = peer.heard().length > 0
  const trouble =
    troubleOf(options.at, peer.opening, heard, server.timeouts.handshakeMs) ?? demandedVersion(options, facts)
  if (trouble === undefined) {
    await lookForLife(run, peer, outcome)
    return peer
  }
  outcome.trouble = await refined(run, trouble)
  await peer.close()
  return undefined
}

async function lookForLife({ factory, server }: ServerRun, peer: OpenPeer, outcome: RunOutcome): Promise<void> {
  if (factsAbout(peer.revision).judged === 'in part')
    outcome.notes.push(`Revision ${peer.revision} is judged in part: what no check speaks of was not looked at.`)
  const liveness = await findLiveness(peer, server.timeouts.replyMs)
  if (liveness === undefined) {
    outcome.notes.push('After the handshake the target answered neither ping nor any other request.')
  } else if (liveness !== peer.liveness) {
    factory.liveness = liveness
    outcome.notes.push(`The target does not answer ping; ${liveness} is used to see whether it is alive.`)
  }
}

/** A target that answers but refuses to be opened may speak revisions of another family only. */
async function inAnotherFamily(run: ServerRun, refused: OpenPeer): Promise<OpenPeer> {
  const reply = refused.opening
  const status = reply?.kind === 'http-error' ? reply.http.status : 0
  const mayTry = reply?.kind === 'error' || (status >= 400 && status < 500 && status !== 401 && status !== 403)
  if (!mayTry || run.options.signal.aborted) return refused
  const other = await run.factory.probeFamilies(SANITY)
  if (other === undefined) return refused
  await refused.close()
  // It refused a revision that it never claimed to speak: nothing of that is held against it.
  run.observer.forget()
  return other
}

/** A server over stdio that is silent gets one more chance to show why. */
async function refined({ options, server }: ServerRun, trouble: Trouble): Promise<Trouble> {
  const { access, timeouts } = server
  if (trouble.kind !== 'silent' || access.via !== 'stdio' || options.signal.aborted) return trouble
  // With headers we break the rules ourselves: nothing of that conversation is judged, so it has a log of its own.
  const factory = createSessionFactory({ access, revision: options.revision, timeouts, log: createLog(), ahead: 0 })
  const answers = await waitsForHeaders(await factory.open('no-handshake'))
  await factory.close()
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
