import { type HttpReply, judge, type Kind, serverScenario, shapeOf, tampers, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A body that is empty or of another content type is refused as the mistake of the client',
  needs: { via: 'http' },
  session: 'fresh',
  claims: { refused: 'robustness.http.unexpected-content' },
  async *run(peer) {
    const post = (type: string, body: string = JSON.stringify(peer.draft('ping'))) =>
      peer.http({ method: 'POST', headers: { 'Content-Type': type }, body })
    const control = await post('application/json')
    if (control.status !== 200) {
      yield unmet(`the control, a ping as application/json, was answered with HTTP ${control.status}`)
      return
    }
    const empty = await post('application/json', '')
    yield judge('refused', isRefusal(empty), 'a refusal of an empty body', empty, {
      kind: faultOf(empty),
      subject: 'an empty body',
    })
    const form = await post('application/x-www-form-urlencoded', 'method=ping&id=1')
    yield judge('refused', isRefusal(form), 'a refusal of a form', form, { kind: faultOf(form), subject: 'a form' })
    // To read the message all the same is right, too.
    const text = await post('text/plain')
    yield judge('refused', isRefusal(text) || text.status === 200, 'a refusal of text/plain, or an answer', text, {
      kind: faultOf(text),
      subject: 'text/plain',
    })
  },
  defects: [
    {
      named: 'an empty body ends in 500',
      breaks: 'refused',
      kind: 'wrong-status',
      tamper: tampers.http((answer, { message }) =>
        answer.status === 400 && message === undefined ? { status: 500 } : undefined,
      ),
    },
    {
      named: 'another content type ends in 500',
      breaks: 'refused',
      kind: 'wrong-status',
      tamper: tampers.http(answer => (answer.status === 415 ? { status: 500 } : undefined)),
    },
  ],
  variants: [
    { named: 'any content type is read', replace: { contentType: () => undefined } },
    { named: 'errors come with status 200', replace: { malformedStatus: 200 } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
  ],
})

const faultOf = ({ status }: HttpReply): Kind => (status < 300 ? 'accepted' : 'wrong-status')

/** An error with status 200 is a refusal as well: which status it should have is judged by transport-http. */
const isRefusal = ({ status, frames }: HttpReply): boolean =>
  (status >= 400 && status < 500) ||
  (status === 200 &&
    frames.some(frame => frame.kind === 'message' && frame.from === 'them' && shapeOf(frame.json) === 'error'))
