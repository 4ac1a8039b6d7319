import {
  at,
  declaredIn,
  type Fault,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  monitor,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** Error -32042 (client/elicitation#url-elicitation-required-error). */
export default monitor({
  title: 'Error -32042 lists the elicitations by URL that it demands',
  needs: { since: '2025-11-25' },
  claims: {
    only: 'elicitation.required-error.only-when-url-needed',
    lists: 'elicitation.required-error.lists-elicitations',
    entries: 'elicitation.required-error.entries-are-url-mode',
    ids: 'elicitation.required-error.entries-have-id',
    declared: 'elicitation.required-error.not-without-url-capability',
  },
  start: (): { declared: JsonObject | undefined } => ({ declared: undefined }),
  *see(state, frame) {
    state.declared = declaredIn(frame) ?? state.declared
    for (const message of theirMessages(frame)) {
      if (at(message, 'error', 'code') !== -32042) continue
      if (state.declared !== undefined)
        yield judge(
          'declared',
          isObject(at(state.declared, 'elicitation', 'url')),
          'a client that declared url',
          frame,
          'unasked',
        )
      const listed = at(message, 'error', 'data', 'elicitations')
      const entries = Array.isArray(listed) ? listed : []
      const kind = listed === undefined || Array.isArray(listed) ? 'missing' : 'wrong-type'
      yield judge('lists', entries.length > 0, 'data.elicitations with at least one elicitation', frame, kind)
      const needed = entries.some(entry => at(entry, 'mode') === 'url')
      yield judge('only', needed, 'an elicitation by URL', frame, 'missing')
      for (const entry of entries) {
        const fault = faultOf(entry)
        yield judge(
          'entries',
          fault === undefined,
          'entries with the mode url, a valid url and a message',
          frame,
          fault,
        )
        const isNamed = (textAt(entry, 'elicitationId') ?? '') !== ''
        yield judge('ids', isNamed, 'entries with an elicitationId', frame, 'missing')
      }
    }
  },
  defects: [
    {
      named: 'uses the code for a missing argument',
      breaks: 'only',
      kind: 'missing',
      also: ['lists', 'declared'],
      on: 'server/base/invalid-params',
      tamper: tampers.error(error => (error.code === -32602 ? { ...error, code: -32042 } : error)),
    },
    { named: 'demands a form', kind: 'missing', also: ['entries'], ...entry('only', { mode: 'form' }, 'url') },
    {
      named: 'an empty list',
      breaks: 'lists',
      kind: 'missing',
      also: ['only'],
      on: 'server/elicitation/required',
      tamper: tampers.error(error => ({ ...error, data: { elicitations: [] } })),
    },
    {
      named: 'the list is no list',
      breaks: 'lists',
      kind: 'wrong-type',
      also: ['only'],
      on: 'server/elicitation/required',
      tamper: tampers.error(error => ({
        ...error,
        data: { elicitations: at(error, 'data', 'elicitations', 0) ?? null },
      })),
    },
    { named: 'an entry without a url', kind: 'missing', ...entry('entries', {}, 'url') },
    { named: 'an entry with half a url', kind: 'malformed', ...entry('entries', { url: 'example.com/page' }) },
    { named: 'an entry without an id', kind: 'missing', ...entry('ids', {}, 'elicitationId') },
    {
      named: 'demands it of a client that has forms only',
      breaks: 'declared',
      kind: 'unasked',
      on: 'server/elicitation/form-only',
      replace: { elicits: () => true },
    },
  ],
  variants: [
    {
      named: 'demands one',
      on: 'server/elicitation/required',
      shows: ['only', 'lists', 'entries', 'ids', 'declared'],
      replace: {},
    },
  ],
})

/** What is wrong with an entry, and where. */
function faultOf(entry: Json): Fault | undefined {
  const wrong = (kind: Kind, member: string): Fault => ({ kind, subject: `data.elicitations[].${member}` })
  for (const member of ['mode', 'url', 'message'])
    if (textAt(entry, member) === undefined)
      return wrong(at(entry, member) === undefined ? 'missing' : 'wrong-type', member)
  if (at(entry, 'mode') !== 'url') return wrong('wrong-value', 'mode')
  return URL.canParse(textAt(entry, 'url') ?? '') ? undefined : wrong('malformed', 'url')
}

function entry<C extends string>(breaks: C, change: JsonObject, leaveOut = '') {
  return {
    breaks,
    on: 'server/elicitation/required',
    tamper: tampers.error(error => {
      const first = at(error, 'data', 'elicitations', 0)
      if (!isObject(first)) return error
      const { [leaveOut]: _, ...changed } = { ...first, ...change }
      return { ...error, data: { elicitations: [changed] } }
    }),
  }
}
