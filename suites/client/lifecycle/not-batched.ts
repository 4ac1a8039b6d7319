import { at, clientScenario, judge, PLAIN, undone, unmet } from '../../../src/suite/client.ts'

/** The one revision with batches kept `initialize` out of them. */
export default clientScenario({
  title: 'initialize is no part of a batch',
  needs: { since: '2025-03-26', until: '2025-03-26' },
  script: PLAIN,
  claims: { alone: 'lifecycle.init.not-batched' },
  *run(seen) {
    const opening = seen.messages.find(({ json }) =>
      (Array.isArray(json) ? json : [json]).some(message => at(message, 'method') === 'initialize'),
    )
    if (opening === undefined) yield unmet(undone(seen, 'open a session'))
    else yield judge('alone', !Array.isArray(opening.json), 'initialize as a message of its own', opening, 'wrong-type')
  },
  defects: [
    {
      named: 'a batch of one first',
      breaks: 'alone',
      kind: 'wrong-type',
      // The message alone follows: without an answer the client would only wait.
      tamper: out =>
        out.layer === 'message' && at(out.message, 'method') === 'initialize'
          ? [{ ...out, message: [out.message] }, out]
          : [out],
    },
  ],
})
