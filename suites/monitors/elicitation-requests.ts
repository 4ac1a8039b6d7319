import {
  askedIn,
  at,
  declaredIn,
  isObject,
  type JsonObject,
  judge,
  monitor,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  /** the capability as we declared it; undefined before the handshake, null where we did not */
  declared: JsonObject | null | undefined
}

/**
 * What every elicitation has, and which modes may be used (client/elicitation#elicitation-requests). That its message is a
 * text is a matter of monitors/schema.
 */
export default monitor({
  title: 'An elicitation says why, and uses a mode that the client declared',
  needs: { since: '2025-06-18' },
  claims: {
    message: 'elicitation.request.message',
    mode: 'elicitation.request.mode',
    marker: 'elicitation.form.mode-marker',
    declared: 'elicitation.capability.server-only-supported-modes',
    empty: 'elicitation.capability.empty-means-form',
  },
  start: (): State => ({ declared: undefined }),
  *see(state, frame) {
    const ours = declaredIn(frame)
    if (ours !== undefined) state.declared = isObject(ours.elicitation) ? ours.elicitation : null
    for (const { message, mode = 'form', requestedSchema } of askedIn(frame, 'elicitation/create')) {
      if (typeof message === 'string')
        yield judge('message', message.trim() === '' ? 'bends' : 'holds', 'a message that says why', frame)
      yield judge('mode', mode === 'form' || mode === 'url', 'the mode form or url, or none', frame)
      if (requestedSchema !== undefined)
        yield judge('marker', mode === 'form', 'the mode form, or none, beside requestedSchema', frame)
      const { declared } = state
      if (declared === undefined || (mode !== 'form' && mode !== 'url')) continue
      // Nothing declared inside means forms.
      const forms = declared !== null && (isObject(declared.form) || declared.url === undefined)
      const pages = declared !== null && isObject(declared.url)
      yield judge('declared', mode === 'url' ? pages : forms, 'only modes that the client declared', frame, {
        kind: 'unasked',
        subject: mode,
      })
      if (isEmpty(declared))
        yield judge('empty', mode === 'form', 'forms only, where no mode is declared', frame, 'unasked')
    }
    // That the error needs the mode is nowhere said in so many words (traps 57).
    const demands = theirMessages(frame).some(message => at(message, 'error', 'code') === -32042)
    if (demands && isEmpty(state.declared))
      yield judge('empty', 'bends', 'no demand for the mode url, where no mode is declared', frame, 'unasked')
  },
  defects: [
    {
      named: 'gives an empty reason',
      on: 'server/elicitation/form',
      breaks: 'message',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: params({ message: '' }),
    },
    {
      named: 'asks in a mode of its own',
      on: 'server/elicitation/form',
      breaks: 'mode',
      kind: 'wrong-value',
      also: ['marker'],
      tamper: params({ mode: 'dialog' }),
    },
    {
      named: 'asks for a form by URL',
      on: 'server/elicitation/form',
      breaks: 'marker',
      kind: 'wrong-value',
      tamper: params({ mode: 'url', url: 'https://example.com/', elicitationId: '1' }),
    },
    {
      named: 'asks by form where only URLs are declared',
      on: 'server/elicitation/url-only',
      breaks: 'declared',
      kind: 'unasked',
      replace: { elicits: () => true },
    },
    {
      named: 'asks by URL where no mode is declared',
      on: 'server/elicitation/form-only',
      breaks: 'empty',
      kind: 'unasked',
      also: ['declared'],
      replace: { elicits: () => true },
    },
    {
      named: 'asks a client that declared nothing',
      on: 'server/lifecycle/offers-nothing',
      breaks: 'declared',
      kind: 'unasked',
      replace: { elicits: () => true },
    },
  ],
  variants: [
    {
      named: 'names no mode',
      on: 'server/elicitation/form-only',
      shows: ['message', 'mode', 'marker', 'declared', 'empty'],
      replace: {},
    },
    {
      named: 'names the mode form',
      on: 'server/elicitation/form',
      shows: ['mode', 'marker'],
      tamper: params({ mode: 'form' }),
    },
    {
      named: 'asks by URL',
      on: 'server/elicitation/two-clients',
      via: 'http',
      shows: ['mode', 'declared'],
      replace: {},
    },
  ],
})

const isEmpty = (declared: JsonObject | null | undefined): boolean =>
  isObject(declared) && declared.form === undefined && declared.url === undefined

function params(change: JsonObject) {
  return tampers.message(message =>
    message.method === 'elicitation/create' && isObject(message.params)
      ? { ...message, params: { ...message.params, ...change } }
      : message,
  )
}
