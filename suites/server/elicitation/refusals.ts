import {
  at,
  callableTools,
  hearing,
  type Json,
  type JsonObject,
  judge,
  listAll,
  notification,
  type Reply,
  type ServerPeer,
  serverScenario,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

/** More tools than these are not tried: most of them ask nothing. */
const MOST_TOOLS = 24
/** Asking once more may be meant well; asking more often than this is no handling. */
const MOST_QUESTIONS = 5

type Action = 'decline' | 'cancel'

export default serverScenario({
  title: 'A user who declines or cancels an elicitation gets an end of the call, and the server goes on',
  hello: WILLING,
  needs: { capability: 'tools', since: '2025-06-18' },
  claims: {
    decline: 'elicitation.result.server-handles-decline',
    cancel: 'elicitation.result.server-handles-cancel',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const fixture = entries.some(({ name }) => name === 'test_elicitation')
    const calls: Call[] = [
      ...(fixture ? [{ name: 'test_elicitation', arguments: { message: 'hello' } }] : []),
      ...callableTools(peer, entries).map(({ name, args }) => ({ name, arguments: args })),
    ]
    let seen = false
    for (const call of calls.slice(0, MOST_TOOLS)) {
      for (const action of ['decline', 'cancel'] as const) {
        const { reply, questions } = await answered(peer, call, action)
        if (questions === 0) break
        seen = true
        const after = await peer.settle()
        const ended = reply !== undefined && reply.kind !== 'none'
        yield judge(
          action,
          ended && after.alive && questions <= MOST_QUESTIONS,
          `an end of ${call.name} after ${MOST_QUESTIONS} questions at most, and a server that goes on`,
          questions > MOST_QUESTIONS
            ? { text: `${questions} questions, one after another`, frames: after.frames }
            : ended || reply === undefined
              ? after
              : reply,
          { ...(questions > MOST_QUESTIONS ? { kind: 'ignored' } : {}), subject: call.name },
        )
        if (!after.alive) return
      }
    }
    if (!seen) yield unmet('fixture test_elicitation not offered, and no tool that may be called asks the user')
  },
  defects: [
    { named: 'hangs after decline', breaks: 'decline', kind: 'silent', replace: hangsAfter('decline') },
    { named: 'hangs after cancel', breaks: 'cancel', kind: 'silent', replace: hangsAfter('cancel') },
    {
      named: 'answers nothing any more after decline',
      breaks: 'decline',
      kind: 'stuck',
      replace: diesAfter('decline'),
    },
    {
      named: 'asks again and again',
      breaks: 'cancel',
      kind: 'ignored',
      replace: { insists: action => action === 'cancel' },
    },
  ],
  variants: [
    { named: 'a client of 2025-06-18', spec: '2025-06-18', replace: {} },
    { named: 'answers JSON, so that nothing can be asked', via: 'http', replace: { answerBy: () => 'json' } },
  ],
})

interface Call {
  name: string
  arguments: JsonObject
}

/** A tool that asks nothing for a while and does not end either is cancelled: nothing can be said about it. */
async function answered(
  peer: ServerPeer,
  call: Call,
  action: Action,
): Promise<{ reply: Reply | undefined; questions: number }> {
  let questions = 0
  peer.on('elicitation/create', () => {
    questions += 1
    return questions > MOST_QUESTIONS ? { error: { code: -32603, message: 'asked too often' } } : { result: { action } }
  })
  await hearing(peer)
  const pending = peer.request('tools/call', { ...call })
  let reply = await Promise.race([pending, peer.watch().then(() => undefined)])
  if (reply === undefined && questions === 0) await pending.cancel('it asks nothing')
  else reply ??= await pending
  return { reply, questions }
}

/** The answer of the user is lost on its way. */
function hangsAfter(action: Action) {
  return {
    parse(text: string): Json {
      const json = JSON.parse(text) as Json
      return at(json, 'result', 'action') === action ? notification('notifications/nothing') : json
    },
  }
}

function diesAfter(action: Action) {
  return () => {
    let dead = false
    return {
      parse(text: string): Json {
        const json = JSON.parse(text) as Json
        dead ||= at(json, 'result', 'action') === action
        return json
      },
      drops: () => dead,
    }
  }
}
