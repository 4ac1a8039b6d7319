import {
  at,
  type ClientReplacement,
  type Frame,
  isObject,
  type JsonObject,
  judge,
  META,
  monitor,
  ourMessages,
  shapeOf,
  type Tamper,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

interface State {
  /** a request without a handshake was served: the client knows what it is talking to */
  isServed: boolean
}

const ON = { on: 'client/tools/modern-call' }
/** What opens a session, where there are sessions. */
const HANDSHAKE = ['initialize', 'notifications/initialized']

export default monitor({
  title: 'Each request of the client says which version it is in, what the client can do and who it is',
  sides: ['client'],
  needs: { since: '2026-07-28' },
  claims: {
    version: 'versioning.every-request-declares-version',
    fields: 'base.meta.required-fields-sent',
    info: 'base.meta.client-info-sent',
  },
  start: (): State => ({ isServed: false }),
  *see(state, frame) {
    if (ourMessages(frame).some(message => at(message, 'result', 'resultType') !== undefined)) state.isServed = true
    for (const message of theirMessages(frame)) {
      const method = textAt(message, 'method')
      if (method === undefined) continue
      // Before anything was served the client may be looking for a server of another era.
      if (HANDSHAKE.includes(method)) {
        if (state.isServed)
          yield judge('version', false, 'no handshake: the server has served requests without one', frame, {
            kind: 'unasked',
            subject: method,
          })
      } else if (shapeOf(message) === 'request') yield* judgeMeta(method, message as JsonObject, frame)
    }
  },
  defects: [
    {
      named: 'no version',
      breaks: 'version',
      kind: 'missing',
      also: ['fields'],
      ...saying({ [META.version]: undefined }),
    },
    {
      named: 'the version is a number',
      breaks: 'fields',
      kind: 'wrong-type',
      also: ['version'],
      ...saying({ [META.version]: 2026 }),
    },
    { named: 'no capabilities', breaks: 'fields', kind: 'missing', ...saying({ [META.capabilities]: undefined }) },
    { named: 'capabilities are a list', breaks: 'fields', kind: 'wrong-type', ...saying({ [META.capabilities]: [] }) },
    {
      named: 'capabilities with the first request only',
      breaks: 'fields',
      kind: 'missing',
      ...saying({ [META.capabilities]: undefined }, 'tools/'),
    },
    { named: 'does not say who it is', breaks: 'info', kind: 'missing', ...saying({ [META.clientInfo]: undefined }) },
    {
      named: 'has a name and no version',
      breaks: 'info',
      kind: 'wrong-type',
      ...saying({ [META.clientInfo]: { name: 'x' } }),
    },
    {
      named: 'says that it is ready',
      breaks: 'version',
      kind: 'unasked',
      ...ON,
      tamper: tampers.message(message =>
        message.method === 'tools/list' ? [{ jsonrpc: '2.0', method: 'notifications/initialized' }, message] : message,
      ),
    },
  ],
  variants: [
    {
      named: 'asks without a look at the server',
      ...replacing(correct => ({ modern: { ...correct.modern, discovers: false } })),
    },
  ],
})

function* judgeMeta(subject: string, message: JsonObject, frame: Frame) {
  const meta = at(message, 'params', '_meta')
  const version = at(meta, META.version)
  const capabilities = at(meta, META.capabilities)
  const info = at(meta, META.clientInfo)
  yield judge('version', typeof version === 'string', `${META.version} in _meta, a text`, frame, {
    kind: version === undefined ? 'missing' : 'wrong-type',
    subject,
  })
  const isThere = version !== undefined && capabilities !== undefined
  yield judge(
    'fields',
    typeof version === 'string' && isObject(capabilities),
    'the version, a text, and the capabilities, an object, in _meta',
    frame,
    { kind: isThere ? 'wrong-type' : 'missing', subject },
  )
  const isNamed = textAt(info, 'name') !== undefined && textAt(info, 'version') !== undefined
  yield judge('info', isNamed, `${META.clientInfo} with name and version in _meta`, frame, {
    kind: info === undefined ? 'missing' : 'wrong-type',
    subject,
  })
}

/** The reference client with other members in `_meta`, in requests whose method begins so. */
function saying(members: Record<string, JsonObject[string] | undefined>, methods = ''): typeof ON & { tamper: Tamper } {
  return {
    ...ON,
    tamper: tampers.message(message => {
      const meta = at(message, 'params', '_meta')
      if (!isObject(message.params) || !isObject(meta) || textAt(message, 'method')?.startsWith(methods) !== true)
        return message
      const kept = Object.entries({ ...meta, ...members }).filter(([, value]) => value !== undefined)
      return { ...message, params: { ...message.params, _meta: Object.fromEntries(kept) as JsonObject } }
    }),
  }
}

function replacing(replace: ClientReplacement) {
  return { ...ON, replace }
}
