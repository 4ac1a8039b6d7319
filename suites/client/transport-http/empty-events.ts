import {
  clientScenario,
  judge,
  judgeTaken,
  type Reply,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADDED } from '../_add-numbers.ts'

interface Notes {
  control?: Reply
  behindData?: Reply
  behindId?: Reply
}

/** An event whose data is empty reaches whoever reads the stream; one without data only moves the last event id. */
const EMPTY = script({
  drive: { name: 'tools_call' },
  setup: () => ({ http: { answerBy: () => 'sse' } }),
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/call', async call => {
      const ask = (): Promise<Reply> => call.ask('ping', undefined, { withinMs: 2_000 })
      notes.control = await ask()
      await call.stream()?.event({ id: 'e1', data: '' })
      notes.behindData = await ask()
      await call.stream()?.event({ id: 'e2' })
      notes.behindId = await ask()
      return ADDED
    })
  },
})

export default clientScenario({
  title: 'The client reads on behind events whose data is empty',
  needs: { via: 'http' },
  script: EMPTY,
  claims: { goesOn: 'transport-http.sse.client-accepts-empty-data' },
  *run(seen) {
    const { control, behindData, behindId } = seen.notes
    if (control === undefined) {
      yield unmet(undone(seen, 'call the tool'))
      return
    }
    // Where even the first ping had no answer the response alone can tell.
    if (control.kind !== 'none') {
      for (const [what, reply] of [
        ['empty data', behindData],
        ['an id alone', behindId],
      ] as const)
        if (reply !== undefined)
          yield judge('goesOn', reply.kind !== 'none', `a ping is answered behind an event with ${what}`, reply, {
            subject: what,
          })
    }
    if (sent(seen, 'tools/call').length > 0)
      yield* judgeTaken('goesOn', seen, { step: 1, expected: 'the response is taken behind empty events' })
  },
  defects: [
    {
      named: 'ends when it finds no JSON',
      breaks: 'goesOn',
      kind: 'died',
      replace: {
        onEmptyEvent: () => {
          throw new Error('Unexpected end of JSON input')
        },
      },
    },
  ],
})
