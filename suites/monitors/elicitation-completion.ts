import {
  askedIn,
  at,
  isObject,
  type JsonObject,
  judge,
  monitor,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

const COMPLETE = 'notifications/elicitation/complete'

export default monitor({
  title: 'The end of an interaction is announced with the id under which it was asked for',
  needs: { since: '2025-11-25' },
  claims: { id: 'elicitation.complete.has-id' },
  start: () => new Set<string>(),
  *see(known, frame) {
    for (const { elicitationId } of askedIn(frame, 'elicitation/create'))
      if (typeof elicitationId === 'string') known.add(elicitationId)
    for (const message of theirMessages(frame)) {
      const listed = at(message, 'error', 'data', 'elicitations')
      for (const entry of Array.isArray(listed) ? listed : []) known.add(textAt(entry, 'elicitationId') ?? '')
      if (at(message, 'method') !== COMPLETE) continue
      const id = textAt(message, 'params', 'elicitationId')
      // An id that we have not seen may be of a session that the user had before.
      const outcome = id === undefined || id === '' ? 'breaks' : known.has(id) ? 'holds' : 'bends'
      const given = at(message, 'params', 'elicitationId')
      const kind = given === undefined ? 'missing' : id === undefined ? 'wrong-type' : 'wrong-value'
      yield judge('id', outcome, 'the elicitationId of an elicitation of this session', frame, kind)
    }
  },
  defects: [
    { named: 'no id', on: 'server/elicitation/by-url', breaks: 'id', kind: 'missing', tamper: announcing({}) },
    {
      named: 'a number as id',
      on: 'server/elicitation/by-url',
      breaks: 'id',
      kind: 'wrong-type',
      tamper: announcing({ elicitationId: 1 }),
    },
    {
      named: 'an id of its own',
      on: 'server/elicitation/by-url',
      breaks: 'id',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: announcing({ elicitationId: 'a' }),
    },
  ],
  variants: [{ named: 'the id of the request', on: 'server/elicitation/by-url', shows: ['id'], replace: {} }],
})

function announcing(params: JsonObject) {
  return tampers.message(message =>
    message.method === COMPLETE && isObject(message.params) ? { ...message, params } : message,
  )
}
