import {
  clientScenario,
  failure,
  judge,
  type Reply,
  script,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

interface Notes {
  /** when the question went out and was taken back */
  cancelledAt?: number
  reply?: Reply
  /** a later question */
  barrier?: Reply
}

const TOKEN = 'a-question-that-is-taken-back'
/** As long as the model of the client thinks, and the time after which nobody wants to know any more. */
const THINKS_MS = 2_000
const CANCEL_MS = 300
/** What is on its way when the cancellation comes is no fault. */
const RACE_MS = 300
const STOP_MS = 900

/** Our server asks the model of the client, and does not want the answer any more while it thinks. */
const TAKING_BACK = script({
  drive: {
    name: 'cancelled-sampling',
    client: { sampling: { answer: {}, delayMs: THINKS_MS } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Notes => ({}),
  lastsMs: 3_000,
  play(server, notes) {
    server.on('tools/list', async call => {
      if (call.conversation.capabilities.sampling === undefined || notes.cancelledAt !== undefined)
        return { result: { tools: [] } }
      const asked = call.ask(
        'sampling/createMessage',
        {
          messages: [{ role: 'user', content: { type: 'text', text: 'Think about it' } }],
          maxTokens: 10,
          _meta: { progressToken: TOKEN },
        },
        { id: 'taken-back', withinMs: THINKS_MS + RACE_MS },
      )
      await server.pause(CANCEL_MS)
      notes.cancelledAt = server.now()
      await call.notify('notifications/cancelled', { requestId: 'taken-back', reason: 'Nobody wants to know any more' })
      notes.reply = await asked
      notes.barrier = await call.ask('ping', undefined, { withinMs: 2_000 })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client stops working on a request that was cancelled, and does not answer it',
  script: TAKING_BACK,
  claims: {
    silent: 'cancellation.receive.no-response',
    stops: 'cancellation.receive.stop-processing',
  },
  *run(seen) {
    const { cancelledAt, reply } = seen.notes
    if (cancelledAt === undefined || reply === undefined) {
      yield unmet(undone(seen, 'declare sampling and list the tools'))
      return
    }
    const answeredAt = reply.frames[0]?.at
    if (reply.kind !== 'none' && answeredAt !== undefined && answeredAt < cancelledAt + RACE_MS) {
      yield unmet('the client answered before the cancellation could reach it: its driver does not heed delayMs')
      return
    }
    yield judge('silent', reply.kind === 'none', 'no response to a cancelled request', reply, 'unasked')
    const reports = sent(seen, 'notifications/progress').filter(({ params }) => params.progressToken === TOKEN)
    if (reports.length === 0) {
      yield unmet('the client tells no progress of its work', 'stops')
      return
    }
    const late = reports.filter(({ frame }) => frame.at > cancelledAt + STOP_MS).map(({ frame }) => frame)
    yield judge('stops', late.length === 0, 'no progress long behind the cancellation', late, 'ignored')
  },
  defects: [
    { named: 'answers all the same', breaks: 'silent', kind: 'unasked', replace: { onCancelled: answer => answer } },
    {
      named: 'says that it was cancelled',
      breaks: 'silent',
      kind: 'unasked',
      replace: {
        onCancelled: answer => failure(answer?.id ?? null, -32800, 'Request cancelled'),
      },
    },
    { named: 'works on', breaks: 'stops', kind: 'ignored', also: ['silent'], replace: { stopsWhenCancelled: false } },
  ],
  variants: [
    {
      named: 'tells no progress',
      shows: ['silent'],
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
  ],
})
