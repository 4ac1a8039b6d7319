import {
  codes,
  isObject,
  judge,
  type Reply,
  refusal,
  refusalFault,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** From the most to the least severe, so that the session is not left silent for the scenarios after this one. */
const LEVELS = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'debug', 'info']

/** No level at all, and what is often taken for one. */
const INVALID = [{ level: 'verbose' }, { level: 'ERROR' }, { level: 5 }, {}]

export default serverScenario({
  title: 'Each of the eight log levels can be set, and any other one gets error -32602',
  needs: { capability: 'logging' },
  claims: {
    supported: 'logging.set-level.supported',
    refuses: 'logging.errors.invalid-level',
  },
  async *run(peer) {
    let works = true
    for (const level of LEVELS) {
      const reply = await peer.request('logging/setLevel', { level })
      works = works && reply.kind === 'result'
      yield judge('supported', emptiness(reply), `the result {} for the level ${level}`, reply, { subject: level })
      if (reply.kind === 'none') return
    }
    if (!works) {
      yield unmet('a legal level cannot be set')
      return
    }
    for (const params of INVALID) {
      const reply = await peer.request('logging/setLevel', params, { intended: 'fault' })
      const refused = reply.kind === 'error' && reply.code === codes.invalidParams
      yield judge('refuses', refused, `error -32602 for the params ${JSON.stringify(params)}`, reply, {
        kind: refusalFault(reply),
        subject: `the params ${JSON.stringify(params)}`,
      })
      if (reply.kind === 'none') return
    }
  },
  defects: [
    {
      named: 'declares logging without setLevel',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('logging/setLevel', -32601, 'Method not found'),
    },
    {
      named: 'does not know the level notice',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('logging/setLevel', (message, { params }) =>
        isObject(params) && params.level === 'notice' ? refusal(-32602, 'no such level')(message) : message,
      ),
    },
    {
      named: 'repeats the level in the result',
      breaks: 'supported',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: tampers.answer('logging/setLevel', (message, { params }) =>
        message.error === undefined ? { ...message, result: params } : message,
      ),
    },
    {
      named: 'never answers',
      breaks: 'supported',
      kind: 'silent',
      replace: { drops: message => message.method === 'logging/setLevel' },
    },
    {
      named: 'takes any level',
      breaks: 'refuses',
      kind: 'accepted',
      tamper: tampers.answer('logging/setLevel', success()),
    },
    {
      named: 'has a code of its own for an unknown level',
      breaks: 'refuses',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: -32000 })),
    },
    {
      named: 'takes levels in capitals',
      breaks: 'refuses',
      kind: 'accepted',
      tamper: tampers.answer('logging/setLevel', (message, { params }) =>
        isObject(params) && params.level === 'ERROR' ? success()(message) : message,
      ),
    },
  ],
  variants: [
    {
      named: 'the result has a _meta',
      shows: ['supported', 'refuses'],
      tamper: tampers.result('logging/setLevel', () => ({ _meta: { 'com.example/note': 'done' } })),
    },
  ],
})

/** Members beside `_meta` are allowed in results, but an empty one was asked for. */
function emptiness(reply: Reply): 'holds' | 'bends' | 'breaks' {
  if (reply.kind !== 'result' || !isObject(reply.result)) return 'breaks'
  return Object.keys(reply.result).every(name => name === '_meta') ? 'holds' : 'bends'
}
