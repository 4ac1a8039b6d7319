import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  ourMessages,
  shapeOf,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  /** what we declared, and what the server did; undefined before the handshake */
  ours: JsonObject | undefined
  theirs: JsonObject | undefined
}

/** What a client must have declared before it may be asked. */
const NEEDED: Record<string, (declared: JsonObject, params: Json | undefined) => boolean> = {
  'roots/list': declared => isObject(declared.roots),
  'sampling/createMessage': declared => isObject(declared.sampling),
  'elicitation/create': mayElicit,
  'tasks/get': declared => isObject(declared.tasks),
  'tasks/result': declared => isObject(declared.tasks),
  'tasks/list': declared => isObject(at(declared, 'tasks', 'list')),
  'tasks/cancel': declared => isObject(at(declared, 'tasks', 'cancel')),
}

/** The switch that announces a kind of notification. That the notification needs it is implied, not spelled out. */
const SWITCHES: Record<string, [capability: string, name: string]> = {
  'notifications/resources/updated': ['resources', 'subscribe'],
  'notifications/resources/list_changed': ['resources', 'listChanged'],
  'notifications/tools/list_changed': ['tools', 'listChanged'],
  'notifications/prompts/list_changed': ['prompts', 'listChanged'],
}

/** What was declared at the handshake binds both sides afterwards (basic/lifecycle#operation). */
export default monitor({
  title: 'Only capabilities are used that were declared',
  claims: {
    negotiated: 'lifecycle.operation.server-only-negotiated-capabilities',
    own: 'lifecycle.operation.server-only-declared-own-capabilities',
  },
  start: (): State => ({ ours: undefined, theirs: undefined }),
  *see(state, frame) {
    for (const message of ourMessages(frame)) {
      if (at(message, 'method') !== 'initialize') continue
      const declared = at(message, 'params', 'capabilities')
      if (isObject(declared)) state.ours = declared
    }
    for (const message of theirMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (isObject(declared) && at(message, 'result', 'protocolVersion') !== undefined) state.theirs = declared
      const method = String(at(message, 'method'))
      const needed = Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined
      if (needed !== undefined && state.ours !== undefined && shapeOf(message) === 'request') {
        const allowed = needed(state.ours, at(message, 'params'))
        const expected = 'only requests that the client declared itself able to serve'
        yield judge('negotiated', allowed, expected, frame, { kind: 'unasked', subject: method })
      }
      if (state.theirs === undefined) continue
      const named = Object.hasOwn(SWITCHES, method) ? SWITCHES[method] : undefined
      if (method === 'notifications/message')
        yield judge('own', state.theirs.logging !== undefined, 'log messages only where logging is declared', frame, {
          kind: 'unasked',
          subject: method,
        })
      else if (named !== undefined)
        yield judge(
          'own',
          at(state.theirs, ...named) === true ? 'holds' : 'bends',
          `${method} only where ${named.join('.')} is declared`,
          frame,
          { kind: 'unasked', subject: method },
        )
    }
  },
  defects: [
    {
      named: 'asks for roots that nobody declared',
      on: 'server/lifecycle/offers-nothing',
      breaks: 'negotiated',
      kind: 'unasked',
      replace: greeting({ method: 'roots/list' }),
    },
    {
      named: 'elicits by URL where only forms are offered',
      on: 'server/lifecycle/before-initialized',
      breaks: 'negotiated',
      kind: 'unasked',
      replace: greeting({
        method: 'elicitation/create',
        params: { mode: 'url', url: 'https://example.com/', elicitationId: '1', message: 'hello' },
      }),
    },
    {
      named: 'lists tasks that the client does not have',
      on: 'server/lifecycle/before-initialized',
      breaks: 'negotiated',
      kind: 'unasked',
      replace: greeting({ method: 'tasks/list' }),
    },
    {
      named: 'logs without logging',
      on: 'server/lifecycle/before-initialized',
      breaks: 'own',
      kind: 'unasked',
      replace: {
        capabilities: {},
        ...greeting({ method: 'notifications/message', params: { level: 'info', data: '' } }),
      },
    },
    {
      named: 'announces new tools without listChanged',
      on: 'server/lifecycle/before-initialized',
      breaks: 'own',
      kind: 'unasked',
      verdict: 'warn',
      replace: { capabilities: { tools: {} }, ...greeting({ method: 'notifications/tools/list_changed' }) },
    },
    {
      named: 'announces an update without subscribe',
      on: 'server/lifecycle/before-initialized',
      breaks: 'own',
      kind: 'unasked',
      verdict: 'warn',
      replace: {
        capabilities: { resources: { listChanged: true } },
        ...greeting({ method: 'notifications/resources/updated', params: { uri: 'test://static-text' } }),
      },
    },
  ],
  variants: [
    {
      named: 'uses all that was declared',
      on: 'server/lifecycle/before-initialized',
      shows: ['negotiated', 'own'],
      replace: greeting(
        { method: 'roots/list' },
        {
          method: 'elicitation/create',
          params: { message: 'hello', requestedSchema: { type: 'object', properties: {} } },
        },
        { method: 'notifications/message', params: { level: 'info', data: 'hello' } },
        { method: 'notifications/tools/list_changed' },
      ),
    },
  ],
})

function greeting(...messages: JsonObject[]) {
  return { greets: (when: 'answered' | 'initialized') => (when === 'initialized' ? messages : []) }
}

/** Since 2025-11-25 elicitation has two modes; without any named it means forms. */
function mayElicit(declared: JsonObject, params: Json | undefined): boolean {
  const { elicitation } = declared
  if (!isObject(elicitation)) return false
  if (at(params, 'mode') === 'url') return isObject(elicitation.url)
  return isObject(elicitation.form) || elicitation.url === undefined
}
