import {
  clientScenario,
  fateOfStep,
  judge,
  type Reply,
  script,
  sent,
  stepKind,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADDED } from '../_add-numbers.ts'

interface Notes {
  /** the client has opened its stream */
  opened?: boolean
  onStream?: Reply
  /** when its streams began to be closed, and when that ended */
  closing?: { from: number; to: number }
  after?: Reply
}

const ID = 'asked-on-the-get-stream'
const CLOSING_MS = 1_100
const MOST_A_SECOND = 10

/** While the client waits for its tool: our server asks on the GET stream, then closes it whenever it is opened again. */
const UNSTEADY = script({
  drive: { name: 'tools_call' },
  setup: () => ({ capabilities: { tools: { listChanged: true } } }),
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/call', async call => {
      const { conversation } = call
      if (notes.opened !== undefined) return ADDED
      notes.opened = await conversation.listened(1_500)
      if (!notes.opened) return ADDED
      notes.onStream = await conversation.ask('ping', undefined, { id: ID, withinMs: 1_500 })
      await conversation.notify('notifications/tools/list_changed')
      const from = server.now()
      while (server.now() < from + CLOSING_MS && !server.isOver) {
        await conversation.hangUp()
        await server.pause(10)
      }
      notes.closing = { from, to: server.now() }
      notes.after = await call.ask('ping', undefined, { withinMs: 2_000 })
      return ADDED
    })
  },
})

export default clientScenario({
  title: 'The client answers requests on its GET stream, and tolerates that the server closes it',
  needs: { via: 'http' },
  script: UNSTEADY,
  claims: {
    answers: 'transport-http.get.server-messages',
    goesOn: 'transport-http.get.server-may-close',
  },
  *run(seen) {
    const { opened, onStream, closing, after } = seen.notes
    const calling = sent(seen, 'tools/call')[0]
    if (opened === undefined || calling === undefined) {
      yield unmet(undone(seen, 'call the tool'))
      return
    }
    if (onStream === undefined) {
      const got = { text: 'it opens no GET stream', frames: [calling.frame] }
      yield judge('answers', 'n/a', 'an answer to what is asked on the GET stream', got)
      yield judge('goesOn', 'n/a', 'no harm when the GET stream is closed', got)
      return
    }
    yield judge('answers', onStream.kind !== 'none', 'an answer to a ping on the GET stream', onStream)
    if (closing === undefined || after === undefined) return
    const finished = took(seen, 1)
    const fine = after.kind !== 'none' || finished === true
    yield judge(
      'goesOn',
      fine,
      'the client goes on',
      after.kind === 'none' ? fateOfStep(seen, 1) : after,
      stepKind(seen, 1),
    )
    const gets = seen.requests.filter(
      ({ method, at: when }) => method === 'GET' && when >= closing.from && when <= closing.to,
    )
    const perSecond = (gets.length * 1_000) / (closing.to - closing.from)
    yield judge(
      'goesOn',
      perSecond <= MOST_A_SECOND ? 'holds' : 'bends',
      'no more than 10 new streams a second',
      {
        text: `${gets.length} GET within ${Math.round(closing.to - closing.from)} ms`,
        frames: gets.flatMap(({ frames }) => frames).slice(0, 3),
      },
      { kind: 'unasked', subject: 'GET' },
    )
  },
  defects: [
    {
      named: 'looks for requests on the streams of its own requests only',
      breaks: 'answers',
      kind: 'silent',
      replace: { dispatches: (_event, kind) => kind === 'post' },
    },
    {
      named: 'ends with the stream',
      breaks: 'goesOn',
      kind: 'died',
      replace: {
        listensAgainAfter: () => {
          throw new Error('the stream has ended')
        },
      },
    },
    {
      named: 'opens the stream again without a pause',
      breaks: 'goesOn',
      kind: 'unasked',
      verdict: 'info',
      replace: { listensAgainAfter: () => 5 },
    },
  ],
  variants: [{ named: 'opens no stream', replace: { listens: false } }],
})
