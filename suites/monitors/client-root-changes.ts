import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

const ON = 'client/roots/changes'
const METHOD = 'notifications/roots/list_changed'

/** What is said when roots change: only by those who promised it, and without the roots (client/roots#root-list-changes). */
export default monitor({
  title: 'The client announces changes of its roots only if it said so, and without telling them',
  sides: ['client'],
  claims: { undeclared: 'roots.list-changed.not-undeclared', payload: 'roots.list-changed.no-payload' },
  start: (): { promised: boolean } => ({ promised: false }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const method = at(message, 'method')
      if (method === 'initialize')
        state.promised = at(message, 'params', 'capabilities', 'roots', 'listChanged') === true
      if (method !== METHOD) continue
      const params = at(message, 'params')
      const others = isObject(params) ? Object.keys(params).filter(member => member !== '_meta') : []
      yield judge('undeclared', state.promised, 'announcements by a client with roots.listChanged', frame, 'unasked')
      // More members are no list of roots yet: a server ignores them.
      const outcome = params !== undefined && !isObject(params) ? 'breaks' : others.length > 0 ? 'bends' : 'holds'
      const kind = outcome === 'breaks' ? 'wrong-type' : 'unasked'
      yield judge('payload', outcome, 'no params, or _meta alone', frame, kind)
    }
  },
  defects: [
    {
      named: 'announces without having promised it',
      on: ON,
      breaks: 'undeclared',
      kind: 'unasked',
      tamper: tampers.message(message =>
        message.method === 'initialize'
          ? { ...message, params: { ...(message.params as JsonObject), capabilities: { roots: {} } } }
          : message,
      ),
    },
    { named: 'null as params', kind: 'wrong-type', ...saying('payload', null) },
    { named: 'the roots as params', kind: 'wrong-type', ...saying('payload', [{ uri: 'file:///project' }]) },
    {
      named: 'tells the roots with it',
      kind: 'unasked',
      verdict: 'warn',
      ...saying('payload', { roots: [{ uri: 'file:///project' }] }),
    },
  ],
  variants: [
    { named: 'announces plainly', on: ON, shows: ['undeclared', 'payload'], replace: {} },
    {
      named: 'announces with metadata',
      on: ON,
      shows: ['payload'],
      tamper: saying('payload', { _meta: { 'com.example/trace': '1' } }).tamper,
    },
  ],
})

function saying<C extends string>(breaks: C, params: Json) {
  return {
    breaks,
    on: ON,
    tamper: tampers.message(message => (message.method === METHOD ? { ...message, params } : message)),
  }
}
