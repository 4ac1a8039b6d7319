import {
  at,
  isObject,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** A server looks at the capabilities of its client before it asks (client/roots#implementation-guidelines). */
export default monitor({
  title: 'The server asks for roots only where the client offers them',
  claims: { checks: 'roots.guideline.server-checks-capability' },
  start: (): { ours: JsonObject | undefined } => ({ ours: undefined }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) {
      if (at(message, 'method') !== 'initialize') continue
      const capabilities = at(message, 'params', 'capabilities')
      if (isObject(capabilities)) state.ours = capabilities
    }
    if (state.ours === undefined) return
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'roots/list' || shapeOf(message) !== 'request') continue
      yield judge('checks', isObject(state.ours.roots), 'roots/list only where we declared roots', frame, 'unasked')
    }
  },
  defects: [
    {
      named: 'asks everybody for roots',
      on: 'server/lifecycle/offers-nothing',
      breaks: 'checks',
      kind: 'unasked',
      replace: { greets: (when: string) => (when === 'initialized' ? [{ method: 'roots/list' }] : []) },
    },
  ],
  variants: [
    {
      named: 'asks a client with roots',
      on: 'server/lifecycle/before-initialized',
      shows: ['checks'],
      replace: {},
    },
  ],
})
