import {
  clientScenario,
  codes,
  endKind,
  failure,
  fateOfClient,
  idKey,
  judge,
  type MessageFrame,
  responses,
  sent,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { CANCELLING } from '../_cancelled-calls.ts'

/** The response to a call that was given up comes 200 ms behind the cancellation. */
export default clientScenario({
  title: 'The client ignores a response that comes after it has cancelled the request',
  script: CANCELLING,
  claims: { ignores: 'cancellation.send.ignore-late-response' },
  *run(seen) {
    const { slow } = seen.notes
    const call = sent(seen, 'tools/call').find(({ params }) => textAt(params, 'name') === 'slow')
    if (slow?.cancelled !== true || call === undefined) {
      yield unmet(undone(seen, 'cancel a call'))
      return
    }
    if (!slow.delivered) {
      yield unmet('the client had closed the stream: the response could not reach it any more')
      return
    }
    const complaint = [
      ...sent(seen, 'notifications/cancelled')
        .filter(({ params }) => idKey(params.requestId) === idKey(call.id))
        .slice(1),
      ...responses(seen).filter(({ message }) => idKey(message.id) === idKey(call.id)),
    ].map(({ frame }): MessageFrame => frame)
    if (complaint.length > 0) yield judge('ignores', false, 'no word about the late response', complaint, 'unasked')
    const later = sent(seen).find(({ frame, id }) => id !== undefined && frame.at > slow.answeredAt)
    const wanted = 'further requests behind the late response'
    if (later !== undefined) yield judge('ignores', true, wanted, later.frame)
    else yield judge('ignores', false, wanted, fateOfClient(seen), endKind(seen))
  },
  defects: [
    {
      named: 'ends when it finds no request for it',
      breaks: 'ignores',
      kind: 'died',
      replace: {
        onUnknownResponse: () => {
          throw new Error('a response for an unknown request')
        },
      },
    },
    {
      named: 'answers it with an error',
      breaks: 'ignores',
      kind: 'unasked',
      replace: {
        onUnknownResponse: ({ id }) => [failure(id ?? null, codes.invalidRequest, 'Nobody waits for that')],
      },
    },
  ],
  variants: [{ named: 'still takes the response', replace: { stopsWaiting: false } }],
})
