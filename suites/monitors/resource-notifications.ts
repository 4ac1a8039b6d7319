import {
  at,
  isObject,
  isUri,
  type JsonObject,
  judge,
  monitor,
  notification,
  type Outcome,
  shapeOf,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

const UPDATED = 'notifications/resources/updated'
const LIST_CHANGED = 'notifications/resources/list_changed'
/** A notification is shown up to this length. */
const SHOWN = 160

interface State {
  /** what the server declared; undefined before the handshake */
  capabilities: JsonObject | undefined
  /** whatever we subscribed to, a later end of it not minded: an update may have been under way */
  subscribed: string[]
}

/** That an update has a uri at all is a matter of monitors/schema. */
export default monitor({
  title: 'Notifications about resources name their resource, and come only where they were asked for or announced',
  claims: {
    names: 'resources.subscribe.update-has-uri',
    subscribed: 'resources.subscribe.only-subscribed',
    declared: 'resources.list-changed.not-undeclared',
  },
  unseen: 'n/a',
  start: (): State => ({ capabilities: undefined, subscribed: [] }),
  *see(state, frame) {
    // A subscription counts even where we made it against the rules.
    if (frame.kind === 'message' && frame.from === 'us' && at(frame.json, 'method') === 'resources/subscribe')
      state.subscribed.push(textAt(frame.json, 'params', 'uri') ?? '')
    for (const message of theirMessages(frame)) {
      const capabilities = at(message, 'result', 'capabilities')
      if (isObject(capabilities) && at(message, 'result', 'protocolVersion') !== undefined)
        state.capabilities = capabilities
      if (shapeOf(message) !== 'notification') continue
      const method = at(message, 'method')
      if (method === UPDATED) {
        const got = { text: JSON.stringify(message).slice(0, SHOWN), frames: [frame] }
        const uri = textAt(message, 'params', 'uri')
        if (uri !== undefined) {
          const kind = isUri(uri) ? 'wrong-value' : 'malformed'
          yield judge('names', namesOutcome(state, uri), 'the URI of a subscribed resource', got, kind)
        }
        yield judge('subscribed', state.subscribed.length > 0, 'updates only after a subscription', got, 'unasked')
      }
      if (method === LIST_CHANGED && state.capabilities !== undefined) {
        const announced = at(state.capabilities, 'resources', 'listChanged') === true
        yield judge('declared', announced, `${LIST_CHANGED} only where listChanged is declared`, frame, 'unasked')
      }
    }
  },
  defects: [
    {
      named: 'a path as the uri of an update',
      breaks: 'names',
      kind: 'malformed',
      also: ['subscribed'],
      ...greeting({ method: UPDATED, params: { uri: '/notes/today.md' } }),
    },
    {
      named: 'updates of another resource',
      breaks: 'names',
      kind: 'wrong-value',
      verdict: 'warn',
      on: 'server/resources/subscriptions',
      tamper: out =>
        out.layer === 'message' && at(out.message, 'method') === UPDATED
          ? [{ ...out, message: notification(UPDATED, { uri: 'test://static-text' }) }]
          : [out],
    },
    {
      named: 'updates for everybody',
      breaks: 'subscribed',
      kind: 'unasked',
      ...greeting({ method: UPDATED, params: { uri: 'test://static-text' } }),
    },
    {
      named: 'announces a changed list without listChanged',
      breaks: 'declared',
      kind: 'unasked',
      on: 'server/lifecycle/before-initialized',
      replace: { capabilities: { resources: { subscribe: true } }, ...greets({ method: LIST_CHANGED }) },
    },
  ],
  variants: [
    { named: 'announces a changed list', shows: ['declared'], ...greeting({ method: LIST_CHANGED }) },
    {
      named: 'updates a part of what is watched',
      shows: ['names', 'subscribed'],
      on: 'server/resources/subscriptions',
      tamper: out =>
        out.layer === 'message' && at(out.message, 'method') === UPDATED
          ? [{ ...out, message: notification(UPDATED, { uri: 'test://watched-resource/part' }) }]
          : [out],
    },
  ],
})

/** An update may name a part of what was subscribed to; one of something else is of no use to us. */
function namesOutcome({ subscribed }: State, uri: string): Outcome {
  if (!/^[^:/?#]+:./.test(uri)) return 'breaks'
  const related = subscribed.length === 0 || subscribed.some(one => uri.startsWith(one))
  return isUri(uri) && related ? 'holds' : 'bends'
}

function greets(message: JsonObject) {
  return { greets: (when: 'answered' | 'initialized' | 'roots changed') => (when === 'initialized' ? [message] : []) }
}

function greeting(message: JsonObject) {
  return { on: 'server/lifecycle/before-initialized', replace: greets(message) }
}
