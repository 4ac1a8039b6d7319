import { clientScenario, judge, script, sent, tampers, undone, unmet } from '../../../src/suite/client.ts'

const URI = 'test://watched-resource'

const WATCHING = script({
  drive: {
    name: 'subscription',
    client: {},
    steps: [
      { request: 'resources/subscribe', params: { uri: URI } },
      { request: 'resources/unsubscribe', params: { uri: URI } },
    ],
  },
  setup: () => ({
    capabilities: { resources: { subscribe: true } },
    resources: [{ uri: URI, name: 'watched' }],
  }),
})

export default clientScenario({
  title: 'The client unsubscribes only a URI that it has subscribed',
  script: WATCHING,
  claims: { after: 'schema.resources.unsubscribe-after-subscribe' },
  *run(seen) {
    const ends = sent(seen, 'resources/unsubscribe')
    if (ends.length === 0) yield unmet(undone(seen, 'unsubscribe a resource'))
    for (const { params, frame } of ends) {
      const before = sent(seen, 'resources/subscribe').filter(one => one.frame.seq < frame.seq)
      const begun = before.some(one => one.params.uri === params.uri)
      const kind = before.length === 0 ? 'missing' : 'wrong-value'
      yield judge('after', begun, 'resources/subscribe with this URI before', frame, kind)
    }
  },
  defects: [
    {
      named: 'the URI in another form',
      breaks: 'after',
      kind: 'wrong-value',
      tamper: tampers.message(message =>
        message.method === 'resources/unsubscribe' ? { ...message, params: { uri: `${URI}/` } } : message,
      ),
    },
    {
      named: 'never subscribes',
      breaks: 'after',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === 'resources/subscribe' ? { ...message, method: 'ping' } : message,
      ),
    },
  ],
})
