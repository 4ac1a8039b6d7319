import {
  at,
  isObject,
  type Json,
  judge,
  type MonitorContext,
  monitor,
  shapeOf,
  tampers,
  textAt,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** Each message of the target is one JSON-RPC 2.0 message. */
export default monitor({
  title: 'Every message is a well-formed JSON-RPC 2.0 object',
  sides: ['server', 'client'],
  claims: {
    shape: 'base.jsonrpc.conformance',
    version: 'base.jsonrpc.version-member',
    params: 'base.jsonrpc.params-object',
    utf8: 'base.jsonrpc.utf8',
  },
  start: (context: MonitorContext) => context,
  *see(context, frame) {
    if (frame.kind !== 'message' || frame.from !== 'them') return
    yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame, 'malformed')
    // What a client posts is always meant as a message. Lines on stdin and stdout are the framing's.
    if (context.role === 'client' && context.via === 'http' && frame.flaw === 'not-json')
      yield judge('shape', false, 'a request, a notification or a response', frame, 'malformed')
    for (const message of theirMessages(frame)) {
      yield judge('shape', isMessage(message), 'a request, a notification or a response', frame, 'malformed')
      // What is no message at all is one fault, whatever members it lacks.
      if (!isObject(message) || !isMessage(message)) continue
      const { jsonrpc, params } = message
      const subject = textAt(message, 'method') ?? 'responses'
      const kind = jsonrpc === undefined ? 'missing' : typeof jsonrpc === 'string' ? 'wrong-value' : 'wrong-type'
      yield judge('version', jsonrpc === '2.0', 'the member jsonrpc with the string "2.0"', frame, { kind, subject })
      if (params !== undefined)
        yield judge('params', isObject(params), 'params that are an object', frame, { kind: 'wrong-type', subject })
    }
  },
  defects: [
    ...['server/ping/answers', 'client/ping/answers'].flatMap(on => [
      {
        named: 'a result without id, method and result',
        on,
        breaks: 'shape' as const,
        kind: 'malformed' as const,
        tamper: tampers.answer('ping', message => [{ jsonrpc: '2.0', note: 'hello' }, message]),
      },
      {
        named: 'no jsonrpc member',
        on,
        breaks: 'version' as const,
        kind: 'missing' as const,
        tamper: tampers.message(({ jsonrpc: _, ...rest }) => rest),
      },
      {
        named: 'jsonrpc is the number 2',
        on,
        breaks: 'version' as const,
        kind: 'wrong-type' as const,
        tamper: tampers.message(message => ({ ...message, jsonrpc: 2 })),
      },
    ]),
    {
      named: 'posts the fields of a form',
      on: 'client/ping/answers',
      breaks: 'shape',
      kind: 'malformed',
      via: 'http',
      tamper: tampers.request(({ message }) =>
        at(message, 'method') === 'tools/list' ? { body: 'jsonrpc=2.0&id=2&method=tools%2Flist' } : {},
      ),
    },
    ...[null, []].map(params => ({
      named: `lists with params ${JSON.stringify(params)}`,
      on: 'client/ping/answers',
      breaks: 'params' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.message(message => (message.method === 'tools/list' ? { ...message, params } : message)),
    })),
    {
      named: 'Latin-1 from a client',
      on: 'client/ping/answers',
      breaks: 'utf8',
      kind: 'malformed',
      replace: { clientInfo: () => ({ name: 'Köln', version: '1' }), encode: text => Buffer.from(text, 'latin1') },
    },
    {
      named: 'params are null',
      on: 'server/lifecycle/before-initialized',
      breaks: 'params',
      kind: 'wrong-type',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, params: null } : message)),
    },
    {
      named: 'params are an array',
      on: 'server/lifecycle/before-initialized',
      breaks: 'params',
      kind: 'wrong-type',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, params: [] } : message)),
    },
    {
      named: 'Latin-1 on stdout',
      on: 'server/ping/answers',
      breaks: 'utf8',
      kind: 'malformed',
      via: 'stdio',
      program: 'latin1-output',
    },
  ],
})

const isMessage = (message: Json): boolean => {
  const shape = shapeOf(message)
  return (
    shape !== 'malformed' &&
    shape !== 'batch' &&
    (at(message, 'method') === undefined || typeof at(message, 'method') === 'string')
  )
}
