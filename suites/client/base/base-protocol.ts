import {
  clientScenario,
  codes,
  endKind,
  fateOfClient,
  judge,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { QUESTIONS } from './_base-questions.ts'

/** What no implementation may leave out: messages, and the lifecycle. */
export default clientScenario({
  title: 'The client completes a plain handshake and answers a ping',
  script: QUESTIONS,
  claims: { base: 'base.core.base-protocol-and-lifecycle' },
  *run(seen) {
    const [first] = seen.conversations
    if (first === undefined) {
      yield unmet(undone(seen, 'send initialize'))
      return
    }
    yield judge('base', first.initialized, 'the handshake to be completed', fateOfClient(seen), {
      kind: endKind(seen),
      subject: 'initialize',
    })
    const [ping] = seen.notes.pings
    if (ping !== undefined)
      yield judge('base', ping.reply.kind === 'result', 'a result for a ping', ping.reply, { subject: 'ping' })
  },
  defects: [
    {
      named: 'does not take the answer to initialize',
      breaks: 'base',
      kind: 'died',
      replace: { acceptsVersion: () => false },
    },
    {
      named: 'has no ping',
      breaks: 'base',
      kind: 'refused',
      tamper: tampers.refuse('ping', codes.methodNotFound, 'Method not found'),
    },
  ],
})
