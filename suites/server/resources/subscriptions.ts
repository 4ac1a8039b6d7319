import {
  at,
  awaitNotification,
  codes,
  type Frame,
  isObject,
  type Json,
  judge,
  type Kind,
  listAll,
  type MessageFrame,
  memberFault,
  type Outcome,
  offers,
  type Reply,
  refusal,
  type ServerPeer,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const WATCHED = 'test://watched-resource'
const TRIGGER = 'test_trigger_resource_update'
const UPDATED = 'notifications/resources/updated'
/** A resource that cannot be watched is no fault while others can. */
const MAX_TRIES = 3
/** How many times as long as a wanted update an unwanted one is waited for. */
const SLOWER = 4

export default serverScenario({
  title: 'A client can subscribe to a resource, is told when it changes, and can end the subscription',
  needs: { capability: 'resources' },
  session: 'own',
  claims: {
    subscribes: 'resources.subscribe.supported',
    updates: 'resources.subscribe.update-notified',
    unsubscribes: 'resources.unsubscribe.supported',
    quiet: 'resources.unsubscribe.supported',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/list', 'resources')
    const uris = entries.map(entry => textAt(entry, 'uri')).filter(uri => uri !== undefined)
    // The fixture first: it is the one that can be made to change.
    const wanted = [...uris.filter(uri => uri === WATCHED), ...uris.filter(uri => uri !== WATCHED)].slice(0, MAX_TRIES)
    if (wanted[0] === undefined) {
      yield unmet('no resource is listed')
      return
    }
    if (at(peer.capabilities, 'resources', 'subscribe') !== true) {
      const reply = await peer.request('resources/subscribe', { uri: wanted[0] }, { intended: 'fault' })
      const expected = 'error -32601, as subscribe is not declared'
      yield judge('subscribes', reply.kind === 'result' ? 'bends' : 'n/a', expected, reply, 'accepted')
      for (const claim of ['updates', 'unsubscribes', 'quiet'] as const)
        yield judge(claim, 'n/a', 'a server that declares subscribe', reply)
      return
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const tries = await subscribe(peer, wanted)
    const made = tries.find(({ reply }) => reply.kind === 'result')
    for (const { uri, reply } of tries) {
      const refused = made === undefined ? 'breaks' : 'bends'
      const outcome = reply.kind === 'result' ? emptyOutcome(reply) : refused
      yield judge('subscribes', outcome, `an empty result for ${JSON.stringify(uri)}`, reply, {
        kind: emptyFault(reply),
        subject: uri,
      })
    }
    if (made === undefined) {
      yield unmet('no subscription was made', 'updates', 'unsubscribes', 'quiet')
      return
    }
    const canChange = made.uri === WATCHED && (await offers(peer, 'tools', TRIGGER))
    const first = canChange ? await change(peer) : undefined
    // Without a GET stream there is no way for what belongs to no request.
    const deaf = stream !== undefined && stream.http.status !== 200
    if (first !== undefined)
      yield judge(
        'updates',
        first.heard !== undefined || (deaf ? 'n/a' : 'breaks'),
        `${UPDATED} for ${WATCHED}`,
        first.frames,
        'missing',
      )

    const ended = await peer.request('resources/unsubscribe', { uri: made.uri })
    yield judge(
      'unsubscribes',
      ended.kind === 'result' ? emptyOutcome(ended) : 'breaks',
      'an empty result',
      ended,
      emptyFault(ended),
    )

    if (!canChange) yield unmet(`fixture ${TRIGGER} with ${WATCHED} not offered`, 'updates', 'quiet')
    else if (first === undefined) yield unmet(`fixture ${TRIGGER} changes nothing`, 'updates', 'quiet')
    else if (first.heard === undefined || ended.kind !== 'result')
      yield judge('quiet', 'n/a', 'a server whose updates come, and can be ended', ended)
    else {
      // What was under way at the end of the subscription may still come.
      await peer.watch()
      // One that is sent all the same takes about as long as the one that was wanted.
      const second = await change(peer, Math.max(peer.timeouts.watchMs, SLOWER * first.tookMs))
      if (second === undefined) yield unmet(`fixture ${TRIGGER} changes nothing`, 'quiet')
      else
        yield judge(
          'quiet',
          second.heard === undefined ? 'holds' : 'bends',
          'no more updates',
          second.frames,
          'ignored',
        )
    }
    stream?.close()
  },
  defects: [
    {
      named: 'declared, but not implemented',
      breaks: 'subscribes',
      kind: 'refused',
      tamper: tampers.refuse('resources/subscribe', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'subscribing answers with contents',
      breaks: 'subscribes',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: tampers.result('resources/subscribe', () => ({ contents: [] })),
    },
    {
      named: 'subscribing answers with null',
      breaks: 'subscribes',
      kind: 'wrong-type',
      tamper: tampers.result('resources/subscribe', () => null),
    },
    {
      named: 'subscribe without the switch',
      breaks: 'subscribes',
      kind: 'accepted',
      verdict: 'warn',
      replace: { capabilities: { resources: {} }, extraMethods: { 'resources/subscribe': () => ({}) } },
    },
    {
      named: 'changes go unsaid',
      breaks: 'updates',
      kind: 'missing',
      tamper: tampers.message(message => (message.method === UPDATED ? undefined : message)),
    },
    {
      named: 'updates go to another resource',
      breaks: 'updates',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === UPDATED ? { ...message, params: { uri: 'test://static-text' } } : message,
      ),
    },
    {
      named: 'a subscription without end',
      breaks: 'unsubscribes',
      kind: 'refused',
      tamper: tampers.refuse('resources/unsubscribe', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'the end of a subscription is forgotten',
      breaks: 'quiet',
      kind: 'ignored',
      verdict: 'warn',
      replace: forgetful,
    },
  ],
  variants: [
    { named: 'no subscriptions', replace: { capabilities: { resources: {}, tools: {} } } },
    { named: 'no GET stream', via: 'http', replace: { get: () => ({ status: 405, reason: 'no stream' }) } },
    {
      named: 'updates name a part of the resource',
      shows: ['updates'],
      tamper: tampers.message(message =>
        message.method === UPDATED ? { ...message, params: { uri: `${WATCHED}/part` } } : message,
      ),
    },
    {
      named: 'one resource cannot be watched',
      bends: ['subscribes'],
      tamper: tampers.answer('resources/subscribe', (message, cause) =>
        textAt(cause, 'params', 'uri') === WATCHED
          ? refusal(codes.methodNotFound, 'Method not found')(message)
          : message,
      ),
    },
    {
      named: 'a trigger that changes nothing',
      shows: ['subscribes', 'unsubscribes'],
      tamper: tampers.message((message, cause) =>
        message.method === UPDATED
          ? undefined
          : cause?.method === 'resources/read'
            ? { ...message, result: { contents: [{ uri: WATCHED, text: 'always the same' }] } }
            : message,
      ),
    },
    {
      named: 'no trigger',
      shows: ['subscribes', 'unsubscribes'],
      tamper: tampers.result('tools/list', () => ({ tools: [] })),
    },
  ],
})

async function subscribe(peer: ServerPeer, uris: readonly string[]): Promise<{ uri: string; reply: Reply }[]> {
  const tries: { uri: string; reply: Reply }[] = []
  for (const uri of uris) {
    const reply = await peer.request('resources/subscribe', { uri })
    tries.push({ uri, reply })
    if (reply.kind === 'result' || reply.kind === 'none') break
  }
  return tries
}

interface Change {
  heard: MessageFrame | undefined
  /** how long the update took */
  tookMs: number
  frames: Frame[]
}

/** Lets the fixture change, and waits for the update; undefined where it did not change, so that none was due. */
async function change(peer: ServerPeer, withinMs?: number): Promise<Change | undefined> {
  const before = await contents(peer)
  const since = peer.mark
  const reply = await peer.request('tools/call', { name: TRIGGER, arguments: {} })
  const isWatched = (params: Json | undefined): boolean => textAt(params, 'uri')?.startsWith(WATCHED) === true
  const heard = await awaitNotification(peer, since, UPDATED, isWatched, withinMs)
  if ((await contents(peer)) === before) return undefined
  const tookMs = heard === undefined ? 0 : heard.at - (reply.frames[0]?.at ?? heard.at)
  return { heard, tookMs, frames: heard === undefined ? reply.frames : [heard] }
}

async function contents(peer: ServerPeer): Promise<string> {
  const reply = await peer.request('resources/read', { uri: WATCHED })
  return reply.kind === 'result' ? JSON.stringify(at(reply.result, 'contents')) : ''
}

/** An empty result may have `_meta`, as any other. */
function emptyOutcome(reply: Reply): Outcome {
  if (reply.kind !== 'result' || !isObject(reply.result)) return 'breaks'
  return Object.keys(reply.result).every(member => member === '_meta') ? 'holds' : 'bends'
}

const emptyFault = (reply: Reply): Kind =>
  reply.kind === 'result' && isObject(reply.result) ? 'wrong-value' : memberFault(reply)

/** Says that the subscription is over, and keeps it. */
function forgetful() {
  return { extraMethods: { 'resources/unsubscribe': () => ({}) } }
}
