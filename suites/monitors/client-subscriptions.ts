import { at, idKey, judge, monitor, shapeOf, tampers, theirMessages } from '../../src/suite/monitor.ts'

/** What was never subscribed to needs no end of it (schema, UnsubscribeRequest). */
export default monitor({
  title: 'A client unsubscribes only what it has subscribed to',
  sides: ['client'],
  claims: { after: 'schema.resources.unsubscribe-after-subscribe' },
  start: () => new Set<string>(),
  *see(subscribed, frame) {
    for (const message of theirMessages(frame)) {
      if (shapeOf(message) !== 'request') continue
      const uri = idKey(at(message, 'params', 'uri'))
      if (at(message, 'method') === 'resources/subscribe') subscribed.add(uri)
      if (at(message, 'method') !== 'resources/unsubscribe') continue
      yield judge('after', subscribed.has(uri), 'a resource that was subscribed to in this session', frame, 'unasked')
    }
  },
  defects: [
    {
      named: 'unsubscribes another one',
      on: 'client/schema/unsubscribes',
      breaks: 'after',
      kind: 'unasked',
      tamper: tampers.message(message =>
        message.method === 'resources/unsubscribe' ? { ...message, params: { uri: 'test://another' } } : message,
      ),
    },
    {
      named: 'subscribes after it has unsubscribed',
      on: 'client/schema/unsubscribes',
      breaks: 'after',
      kind: 'unasked',
      tamper: tampers.message(message =>
        message.method === 'resources/subscribe' ? { ...message, method: 'resources/unsubscribe' } : message,
      ),
    },
  ],
})
