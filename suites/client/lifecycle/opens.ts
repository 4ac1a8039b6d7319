import {
  at,
  clientScenario,
  isObject,
  judge,
  type Kind,
  notification,
  PLAIN,
  request,
  sent,
  tampers,
  textAt,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** A plain server: what the client says first, and what it says of itself. */
export default clientScenario({
  title: 'The client opens with initialize and says what it is',
  script: PLAIN,
  claims: {
    first: 'lifecycle.init.client-sends-initialize',
    nothingElse: 'lifecycle.init.first-interaction',
    version: 'lifecycle.init.request-has-protocol-version',
    capabilities: 'lifecycle.init.request-has-capabilities',
    info: 'lifecycle.init.request-has-client-info',
    ready: 'lifecycle.init.initialized-notification',
  },
  *run(seen) {
    const [opening] = sent(seen)
    if (opening === undefined) {
      yield unmet(undone(seen, 'send anything that can be read'))
      return
    }
    const opens = opening.method === 'initialize'
    yield judge('first', opens, 'initialize as the first message', opening.frame, 'wrong-order')
    yield judge('nothingElse', opens, 'nothing in front of initialize', opening.frame, 'wrong-order')
    const hello = sent(seen, 'initialize')[0]
    if (hello === undefined) return
    const { params, frame } = hello
    const kind = (...place: string[]): Kind => (at(params, ...place) === undefined ? 'missing' : 'wrong-type')
    const version = textAt(params, 'protocolVersion')
    yield judge('version', version !== undefined, 'protocolVersion as a string', frame, kind('protocolVersion'))
    yield judge('capabilities', isObject(params.capabilities), 'capabilities as an object', frame, kind('capabilities'))
    for (const member of ['name', 'version']) {
      const named = textAt(params, 'clientInfo', member) !== undefined
      yield judge('info', named, 'clientInfo with name and version', frame, {
        kind: kind('clientInfo', member),
        subject: `params.clientInfo.${member}`,
      })
    }
    const ready = sent(seen, 'notifications/initialized')[0]
    const later = sent(seen).find(({ method }) => !['initialize', 'ping', 'notifications/initialized'].includes(method))
    if (ready !== undefined) yield judge('ready', true, 'notifications/initialized', ready.frame)
    else if (later !== undefined)
      yield judge('ready', false, 'notifications/initialized before anything else', later.frame, 'missing')
  },
  defects: [
    {
      named: 'lists the tools first',
      breaks: 'first',
      kind: 'wrong-order',
      also: ['nothingElse'],
      tamper: tampers.message(message =>
        message.method === 'initialize' ? [request('early', 'tools/list'), message] : message,
      ),
    },
    {
      named: 'a notification first',
      breaks: 'nothingElse',
      kind: 'wrong-order',
      also: ['first'],
      tamper: tampers.message(message =>
        message.method === 'initialize' ? [notification('notifications/hello'), message] : message,
      ),
    },
    ...(
      [
        ['version', 'protocolVersion'],
        ['capabilities', 'capabilities'],
        ['info', 'clientInfo'],
      ] as const
    ).map(([breaks, member]) => ({
      named: `no ${member}`,
      breaks,
      kind: 'missing' as const,
      tamper: tampers.message(message => {
        if (message.method !== 'initialize' || !isObject(message.params)) return message
        const { [member]: _, ...params } = message.params
        return { ...message, params }
      }),
    })),
    {
      named: 'clientInfo without version',
      breaks: 'info',
      kind: 'missing',
      tamper: tampers.message(message =>
        message.method === 'initialize' && isObject(message.params)
          ? {
              ...message,
              params: { ...message.params, clientInfo: { name: at(message.params, 'clientInfo', 'name') } },
            }
          : message,
      ),
    },
    {
      named: 'never says that it is ready',
      breaks: 'ready',
      kind: 'missing',
      tamper: tampers.message(message => (message.method === 'notifications/initialized' ? [] : message)),
    },
  ],
})
