import {
  at,
  awaitNotification,
  callAsking,
  judge,
  type Reply,
  serverScenario,
  tampers,
  textAt,
  unmet,
  WILLING,
} from '../../../src/suite/server.ts'

/** Stands for what the user enters at the page. If it comes back to us, it is found by this name. */
const CREDENTIAL = 'credential-of-octavia-4711'

const NEEDS_IT = { name: 'test_elicitation_url' }
const FINISH = 'test_elicitation_url_finish'

export default serverScenario({
  title:
    'What must stay secret is asked for by URL: accepting is not finishing, and the secret never comes to the client',
  // Started anew: what was entered once may be kept.
  session: 'fresh',
  hello: WILLING,
  needs: { capability: 'tools', fixture: { tool: NEEDS_IT.name }, since: '2025-11-25' },
  claims: {
    mode: 'elicitation.url.used-for-sensitive',
    consent: 'elicitation.url.accept-is-consent-only',
    unique: 'elicitation.url.id-unique',
    complete: 'elicitation.complete.has-id',
    apart: 'elicitation.oauth.third-party-credentials-bypass-client',
    hidden: 'elicitation.oauth.no-credentials-to-client',
  },
  async *run(peer) {
    const ask = (action: string) => callAsking(peer, NEEDS_IT, 'elicitation/create', () => ({ result: { action } }))
    const declined = await ask('decline')
    const first = declined.asked[0]
    if (first === undefined) {
      yield unmet(`${NEEDS_IT.name} did not ask for the credential`)
      return
    }
    const byUrl = at(first.params, 'mode') === 'url'
    yield judge('mode', byUrl, 'an elicitation with mode url', first.frame)
    if (!byUrl) {
      yield judge('apart', false, 'a credential that the client never sees', first.frame, 'leaked')
      return
    }
    const { reply, asked } = await ask('accept')
    const id = textAt(asked[0]?.params, 'elicitationId')
    // Whether a new attempt at the same thing is a new interaction, the server may see differently.
    const fresh = id !== textAt(first.params, 'elicitationId')
    const frames = [first.frame, ...(asked[0] === undefined ? [] : [asked[0].frame])]
    const expected = 'another elicitationId than the declined one had'
    yield judge('unique', fresh ? 'holds' : 'bends', expected, frames, 'duplicate')
    if (received(reply)) {
      yield judge('consent', false, 'a tool that does not work before the interaction is finished', reply, 'accepted')
      return
    }
    const mark = peer.mark
    await peer.request('tools/call', { name: FINISH, arguments: { elicitationId: id ?? '', credential: CREDENTIAL } })
    const told = await awaitNotification(peer, mark, 'notifications/elicitation/complete')
    if (told === undefined) yield judge('complete', 'n/a', 'notifications/elicitation/complete', peer.heard(mark))
    else {
      const named = at(told.json, 'params', 'elicitationId')
      const right = id !== undefined && named === id
      yield judge('complete', right, `the elicitationId ${id}`, told, named === undefined ? 'missing' : 'wrong-value')
    }
    const again = await ask('decline')
    if (!received(again.reply)) {
      yield unmet(`the control, ${NEEDS_IT.name} after ${FINISH}, did not end with "The credential was received."`)
      return
    }
    yield judge('consent', true, 'a tool that does not work before the interaction is finished', reply)
    const leaks = peer.heard().filter(({ text }) => text.includes(CREDENTIAL))
    for (const claim of ['apart', 'hidden'] as const)
      yield judge(claim, leaks.length === 0, 'no message to the client that has the credential in it', leaks, 'leaked')
  },
  defects: [
    {
      named: 'asks for the secret by form',
      breaks: 'mode',
      kind: 'wrong-value',
      also: ['apart'],
      tamper: tampers.message(message =>
        message.method === 'elicitation/create' ? { ...message, params: { message: 'Your key?', ...FORM } } : message,
      ),
    },
    {
      named: 'takes consent for the end',
      breaks: 'consent',
      kind: 'accepted',
      tamper: tampers.result('tools/call', result =>
        JSON.stringify(result).includes('Waiting for')
          ? { content: [{ type: 'text', text: 'The credential was received.' }] }
          : result,
      ),
    },
    {
      named: 'gives every elicitation the same id',
      breaks: 'unique',
      kind: 'duplicate',
      verdict: 'warn',
      replace: { elicitationIds: () => 'elicitation' },
    },
    {
      named: 'announces the end without the id',
      breaks: 'complete',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === 'notifications/elicitation/complete' ? { ...message, params: {} } : message,
      ),
    },
    {
      named: 'shows what was entered',
      breaks: 'hidden',
      kind: 'leaked',
      also: ['apart'],
      tamper: tampers.result('tools/call', result => ({ ...result, _meta: { used: CREDENTIAL } })),
    },
    {
      named: 'sends what was entered through the client',
      breaks: 'apart',
      kind: 'leaked',
      also: ['hidden', 'complete'],
      tamper: tampers.message(message =>
        message.method === 'notifications/elicitation/complete'
          ? { ...message, params: { elicitationId: CREDENTIAL } }
          : message,
      ),
    },
  ],
  variants: [
    { named: 'announces no end', replace: { hears: () => [] } },
    { named: 'asks by form only', replace: { elicits: mode => mode === 'form' } },
  ],
})

const FORM = {
  requestedSchema: { type: 'object', properties: { key: { type: 'string' } } },
}

const received = (reply: Reply): boolean =>
  reply.kind === 'result' && textAt(reply.result, 'content', 0, 'text') === 'The credential was received.'
