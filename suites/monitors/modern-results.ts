import { at, followResults, isObject, type Json, judge, META, monitor, tampers } from '../../src/suite/monitor.ts'

/** Results that a client may keep. */
const KEPT = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]
const METHODS = [...KEPT, 'tools/call', 'prompts/get', 'completion/complete']

/** We offer no extension, so there are no others. */
const TYPES = ['complete', 'input_required']

export default monitor({
  title: 'Each result says of which type it is, who gives it, and how long it may be kept',
  needs: { since: '2026-07-28' },
  claims: {
    present: 'base.result.result-type-present',
    known: 'base.result.result-type-from-known-set',
    server: 'base.meta.server-info-in-results',
    hints: 'caching.hints-present',
  },
  start: () => followResults(...METHODS),
  *see(follow, frame) {
    for (const { method, result } of follow(frame)) {
      const type = at(result, 'resultType')
      const isText = typeof type === 'string'
      yield judge('present', isText, 'resultType, a text', frame, {
        kind: type === undefined ? 'missing' : 'wrong-type',
        subject: method,
      })
      if (isText)
        yield judge('known', TYPES.includes(type), `resultType ${TYPES.join(' or ')}`, frame, {
          kind: 'wrong-value',
          subject: method,
        })
      const info = at(result, '_meta', META.serverInfo)
      yield judge('server', isImplementation(info), 'serverInfo in _meta, with name and version', frame, {
        kind: info === undefined ? 'missing' : 'wrong-type',
        subject: method,
      })
      if (!KEPT.includes(method) || type === 'input_required') continue
      for (const hint of ['ttlMs', 'cacheScope'])
        yield judge('hints', at(result, hint) !== undefined, hint, frame, {
          kind: 'missing',
          subject: `${hint} of ${method}`,
        })
    }
  },
  defects: [
    ...[undefined, 7, null].map(resultType => ({
      named: `resultType ${JSON.stringify(resultType) ?? 'left out'}`,
      on: 'server/tools/modern-list',
      breaks: 'present' as const,
      kind: resultType === undefined ? ('missing' as const) : ('wrong-type' as const),
      tamper: tampers.result('tools/list', result => ({ ...result, resultType })),
    })),
    {
      named: 'no resultType where the tool has run',
      on: 'server/tools/modern-call',
      breaks: 'present',
      kind: 'missing',
      tamper: tampers.result('tools/call', ({ resultType: _, ...rest }) => rest),
    },
    {
      named: 'a resultType of an extension that nobody has offered',
      on: 'server/tools/modern-call',
      breaks: 'known',
      kind: 'wrong-value',
      tamper: tampers.result('tools/call', result => ({ ...result, resultType: 'task' })),
    },
    ...[undefined, { name: 'x' }, 'x 1.0'].map(serverInfo => ({
      named: `serverInfo is ${JSON.stringify(serverInfo) ?? 'left out'}`,
      on: 'server/tools/modern-list',
      breaks: 'server' as const,
      kind: serverInfo === undefined ? ('missing' as const) : ('wrong-type' as const),
      tamper: tampers.result('tools/list', result => ({ ...result, _meta: { [META.serverInfo]: serverInfo } })),
    })),
    ...['ttlMs', 'cacheScope'].flatMap(hint =>
      ['server/discover', 'tools/list'].map(method => ({
        named: `${method} without ${hint}`,
        on: 'server/tools/modern-list',
        breaks: 'hints' as const,
        kind: 'missing' as const,
        tamper: tampers.result(method, result => ({ ...result, [hint]: undefined })),
      })),
    ),
  ],
})

const isImplementation = (info: Json | undefined): boolean =>
  isObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
