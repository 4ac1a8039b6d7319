import {
  at,
  clientScenario,
  endKind,
  fateOfClient,
  type JsonObject,
  judge,
  notification,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const BIG = 1024 * 1024
const message = (params: JsonObject) => notification('notifications/message', params)

/** Log messages that are not what they should be, and one that is long. */
const LOGGING = script({
  drive: { name: 'tools_call' },
  setup: () => ({ capabilities: { tools: {}, logging: {} } }),
  play(server) {
    server.on('tools/list', async call => {
      await call.push(message({ level: 'loud', logger: 'x', data: 'an unknown level' }), { intended: 'fault' })
      await call.push(message({ level: 'info' }), { intended: 'fault' })
      await call.push(message({ level: 7, logger: { name: 'x' }, data: null }), { intended: 'fault' })
      await call.push(message({ level: 'info', data: 'x'.repeat(BIG) }))
      return {
        result: {
          tools: [
            {
              name: 'add_numbers',
              inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
            },
          ],
        },
      }
    })
  },
})

export default clientScenario({
  title: 'The client survives log messages that are malformed or long',
  script: LOGGING,
  claims: { validates: 'logging.security.validate-data' },
  *run(seen) {
    if (sent(seen, 'tools/list').length === 0) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const [call] = sent(seen, 'tools/call')
    const listed = seen.steps.get(0)?.outcome
    if (call === undefined && (listed === 'result' || (listed === undefined && seen.end.code === 0)))
      yield unmet(undone(seen, 'call the tool'))
    else {
      // One that is busy with a long message may have sent the next request before.
      const alive = call !== undefined && seen.end.how === 'exited'
      yield judge(
        'validates',
        alive,
        'the next request, and an end',
        alive ? call.frame : fateOfClient(seen),
        endKind(seen),
      )
    }
  },
  defects: [
    ...(
      [
        ['knows eight levels and no other', (params: unknown) => at(params as never, 'level') === 'loud'],
        ['relies on data', (params: unknown) => at(params as never, 'data') === undefined],
      ] as const
    ).map(([named, chokes]) => ({
      named,
      breaks: 'validates' as const,
      kind: 'died' as const,
      replace: {
        notices: (seen: unknown) => {
          const isLog = at(seen as never, 'method') === 'notifications/message'
          if (isLog && chokes(at(seen as never, 'params'))) throw new Error('a log message is wrong')
        },
      },
    })),
    {
      named: 'keeps all lines short',
      breaks: 'validates',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).length > BIG) throw new RangeError('too long')
        },
      },
    },
  ],
})
