import {
  clientScenario,
  codes,
  declaration,
  type JsonObject,
  judge,
  type Reply,
  refusalFault,
  script,
  success,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const REQUESTS: Record<string, [capability: string, params?: JsonObject]> = {
  'roots/list': ['roots'],
  'sampling/createMessage': [
    'sampling',
    { messages: [{ role: 'user', content: { type: 'text', text: 'Say yes.' } }], maxTokens: 5 },
  ],
  'elicitation/create': ['elicitation', { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } }],
}

interface Notes {
  listed?: true
  replies: { method: string; reply: Reply }[]
}

/** The client has nothing to offer; our server asks for it by mistake. */
const ASKING = script({
  drive: { name: 'nothing-declared', client: {}, steps: [{ request: 'tools/list' }] },
  notes: (): Notes => ({ replies: [] }),
  play(server, notes) {
    server.on('tools/list', async call => {
      notes.listed = true
      for (const [method, [capability, params]] of Object.entries(REQUESTS)) {
        if (call.conversation.capabilities[capability] !== undefined) continue
        notes.replies.push({ method, reply: await call.ask(method, params, { intended: 'fault' }) })
      }
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'Requests for features that the client has not declared are answered with an error',
  script: ASKING,
  claims: { refuses: 'lifecycle.operation.undeclared-method-error' },
  *run(seen) {
    const { listed, replies } = seen.notes
    if (listed !== true) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    if (replies.length === 0) {
      yield judge(
        'refuses',
        'n/a',
        'only judged where a feature is missing',
        declaration(seen, 'the client declares all of them'),
      )
    }
    for (const { method, reply } of replies) {
      const usual = reply.kind === 'error' && reply.code === codes.methodNotFound
      const outcome = usual ? 'holds' : reply.kind === 'error' ? 'bends' : 'breaks'
      const fault = { kind: refusalFault(reply), subject: method }
      yield judge('refuses', outcome, `error -32601 for ${method}`, reply, fault)
    }
  },
  defects: [
    {
      named: 'answers with an empty result',
      breaks: 'refuses',
      kind: 'accepted',
      replace: { onUnknownRequest: success() },
    },
    { named: 'says nothing', breaks: 'refuses', kind: 'silent', replace: { onUnknownRequest: () => undefined } },
    {
      named: 'calls it an internal error',
      breaks: 'refuses',
      kind: 'wrong-code',
      verdict: 'info',
      tamper: tampers.error(error => ({ ...error, code: -32603 })),
    },
  ],
})
