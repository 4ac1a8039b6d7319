import { at, isObject, type Json, judge, monitor, shapeOf, tampers, theirMessages } from '../../src/suite.ts'

/** Each message of the target is one JSON-RPC 2.0 message. */
export default monitor({
  title: 'Every message is a well-formed JSON-RPC 2.0 object',
  claims: {
    shape: 'base.jsonrpc.conformance',
    version: 'base.jsonrpc.version-member',
    params: 'base.jsonrpc.params-object',
    utf8: 'base.jsonrpc.utf8',
  },
  start: () => undefined,
  *see(_state, frame) {
    if (frame.kind !== 'message' || frame.from !== 'them') return
    yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame)
    for (const message of theirMessages(frame)) {
      yield judge('shape', isMessage(message), 'a request, a notification or a response', frame)
      // What is no message at all is one fault, whatever members it lacks.
      if (!isObject(message) || !isMessage(message)) continue
      yield judge('version', message.jsonrpc === '2.0', 'the member jsonrpc with the string "2.0"', frame)
      if (message.params !== undefined)
        yield judge('params', isObject(message.params), 'params that are an object', frame)
    }
  },
  defects: [
    {
      named: 'a result without id, method and result',
      on: 'server/ping/answers',
      breaks: 'shape',
      tamper: tampers.answer('ping', message => [{ jsonrpc: '2.0', note: 'hello' }, message]),
    },
    {
      named: 'no jsonrpc member',
      on: 'server/ping/answers',
      breaks: 'version',
      tamper: tampers.message(({ jsonrpc: _, ...rest }) => rest),
    },
    {
      named: 'jsonrpc is the number 2',
      on: 'server/ping/answers',
      breaks: 'version',
      tamper: tampers.message(message => ({ ...message, jsonrpc: 2 })),
    },
    {
      named: 'params are null',
      on: 'server/lifecycle/before-initialized',
      breaks: 'params',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, params: null } : message)),
    },
    {
      named: 'params are an array',
      on: 'server/lifecycle/before-initialized',
      breaks: 'params',
      tamper: tampers.message(message => (message.method === 'roots/list' ? { ...message, params: [] } : message)),
    },
    { named: 'Latin-1 on stdout', on: 'server/ping/answers', breaks: 'utf8', via: 'stdio', program: 'latin1-output' },
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
