import { clientScenario, idKey, judge, tampers, undone, unmet } from '../../../src/suite/client.ts'
import { idFault, QUESTIONS } from './_base-questions.ts'

/** Ids of a server are numbers or strings of any kind, 0 and the empty string included. */
export default clientScenario({
  title: 'The client repeats the id of each request unchanged, type included',
  script: QUESTIONS,
  claims: { id: 'base.response.result-id-matches' },
  *run(seen) {
    const { pings } = seen.notes
    if (pings.length === 0) yield unmet(undone(seen, 'list the tools'))
    // A client that answers no ping, or answers with an error, is judged in client/ping.
    const answered = pings.filter(({ reply }) => reply.kind === 'result')
    if (pings.length > 0 && answered.length === 0) yield unmet('no ping was answered with a result')
    for (const { named, id, reply } of answered.length === 0 ? [] : pings) {
      const same = reply.kind === 'result' && idKey(reply.id) === idKey(id)
      const kind = reply.kind === 'error' ? 'refused' : idFault(id, reply)
      yield judge('id', same, `a result with the id ${JSON.stringify(id)}`, reply, { kind, subject: named })
    }
  },
  defects: [
    {
      named: 'only knows integers',
      breaks: 'id',
      kind: 'silent',
      replace: { drops: ({ method, id }) => method === 'ping' && typeof id === 'string' },
    },
    { named: 'takes the id 0 for none', breaks: 'id', kind: 'silent', replace: { drops: ({ id }) => id === 0 } },
    {
      named: 'makes texts of numbers',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.answer('ping', message => ({ ...message, id: String(message.id) })),
    },
    {
      named: 'makes numbers of texts',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: tampers.answer('ping', message => ({ ...message, id: Number(message.id) || (message.id ?? null) })),
    },
    {
      named: 'cuts long ids off',
      breaks: 'id',
      kind: 'silent',
      tamper: tampers.answer('ping', message => ({
        ...message,
        id: typeof message.id === 'string' ? message.id.slice(0, 64) : (message.id ?? null),
      })),
    },
  ],
})
