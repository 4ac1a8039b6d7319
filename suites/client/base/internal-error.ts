import {
  clientScenario,
  codes,
  isObject,
  judge,
  type Reply,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

interface Notes {
  declared: boolean
  reply?: Reply
}

const FAILING = script({
  drive: {
    name: 'failing-model',
    client: { sampling: { throws: 'the model is out of order' } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Notes => ({ declared: false }),
  play(server, notes) {
    server.on('tools/list', async call => {
      notes.declared = isObject(call.conversation.capabilities.sampling)
      if (notes.declared && notes.reply === undefined) notes.reply = await call.ask('sampling/createMessage', QUESTION)
      return { result: { tools: [] } }
    })
  },
})

const QUESTION = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the weather?' } }],
  maxTokens: 10,
}

/** What an implementation may use for errors of its own. */
const isOwn = (code: number): boolean => code >= -32_099 && code <= -32_000

export default clientScenario({
  title: 'A request of the server whose handling throws is answered with error -32603',
  script: FAILING,
  claims: { code: 'base.error.internal-error-code' },
  *run(seen) {
    const { declared, reply } = seen.notes
    if (reply === undefined) {
      yield unmet(
        declared
          ? undone(seen, 'wait for the answer to a question')
          : undone(seen, 'declare sampling and list the tools'),
      )
      return
    }
    if (reply.kind === 'result') {
      yield unmet('the model did not fail: the driver does not know the setting throws')
      return
    }
    const outcome =
      reply.kind === 'error' && (reply.code === codes.internalError || (isOwn(reply.code) ? 'bends' : false))
    yield judge('code', outcome, 'error -32603 where the handler of the client throws', reply, 'wrong-code')
  },
  defects: [
    {
      named: 'calls it invalid params',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: codes.invalidParams })),
    },
    {
      named: 'never answers what has failed',
      breaks: 'code',
      kind: 'silent',
      replace: { onException: () => undefined },
    },
  ],
  variants: [
    {
      named: 'a code of its own',
      bends: ['code'],
      tamper: tampers.error(error => ({ ...error, code: -32_050 })),
    },
  ],
})
