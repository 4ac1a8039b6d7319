import {
  at,
  judge,
  type MessageFrame,
  type ServerPeer,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const TOOL = 'test_tool_with_logging'
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
/** What the fixture says, all of it at the level info. */
const SAID = ['Tool execution started', 'Tool processing data', 'Tool execution completed']
/** Below, at and above info; `alert` is above it, although the alphabet has it below. */
const PROBED = ['notice', 'error', 'alert', 'emergency', 'info', 'debug']

export default serverScenario({
  title: 'Once a level is set, log messages of this and higher severity come, and no others',
  needs: { capability: 'logging', fixture: { tool: TOOL } },
  session: 'fresh',
  claims: { threshold: 'logging.levels.threshold' },
  async *run(peer) {
    if (peer.via === 'http' && peer.sessionId === undefined && peer.opening !== undefined) {
      yield judge('threshold', 'n/a', 'a server with sessions, which can remember the level', peer.opening)
      return
    }
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    // The control: without any log message at the lowest level, silence at a higher one says nothing.
    const control = await logsAt(peer, 'debug')
    if (typeof control === 'string' || control.length === 0) {
      yield unmet(typeof control === 'string' ? control : `${TOOL} logs nothing at the level debug`)
      return
    }
    for (const level of PROBED) {
      const logs = await logsAt(peer, level)
      if (typeof logs === 'string') {
        yield unmet(logs)
        return
      }
      const severity = LEVELS.indexOf(level)
      const below = logs.filter(({ json }) => LEVELS.indexOf(String(at(json, 'params', 'level'))) < severity)
      yield judge('threshold', below.length === 0, `no log message below the level ${level}`, below, {
        kind: 'unasked',
        subject: level,
      })
      if (severity > LEVELS.indexOf('info')) continue
      const missing = SAID.filter(text => !logs.some(({ json }) => JSON.stringify(at(json, 'params')).includes(text)))
      yield judge(
        'threshold',
        missing.length === 0,
        `the three log messages of the tool at the level ${level}`,
        {
          text: missing.length === 0 ? 'all three' : `no log message "${missing.join('", "')}"`,
          frames: logs,
        },
        { kind: 'missing', subject: level },
      )
    }
    stream?.close()
  },
  defects: [
    { named: 'the level is taken and forgotten', breaks: 'threshold', kind: 'unasked', replace: { logs: () => true } },
    {
      named: 'levels are compared by their letters',
      breaks: 'threshold',
      kind: 'unasked',
      replace: { logs: (level, threshold) => threshold === undefined || level >= threshold },
    },
    {
      named: 'only what is above the level comes',
      breaks: 'threshold',
      kind: 'missing',
      replace: {
        logs: (level, threshold) => threshold === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(threshold),
      },
    },
    {
      named: 'a level once raised is never lowered',
      breaks: 'threshold',
      kind: 'missing',
      replace: () => {
        let highest = 0
        return {
          logs(level, threshold) {
            highest = Math.max(highest, LEVELS.indexOf(threshold ?? 'debug'))
            return LEVELS.indexOf(level) >= highest
          },
        }
      },
    },
  ],
  variants: [
    {
      named: 'log messages on the GET stream',
      via: 'http',
      shows: ['threshold'],
      replace: { strays: method => method === 'notifications/message' },
    },
    { named: 'no sessions', replace: { sessionIds: () => undefined, missingSession: () => undefined } },
    { named: 'answers in JSON', replace: { answerBy: () => 'json' } },
    {
      named: 'logs structured data',
      shows: ['threshold'],
      tamper: tampers.message(message =>
        message.method === 'notifications/message'
          ? { ...message, params: { level: 'info', data: { message: at(message, 'params', 'data') } } }
          : message,
      ),
    },
  ],
})

/** Sets the level, calls the tool, and collects what is logged meanwhile; a text says why that failed. */
async function logsAt(peer: ServerPeer, level: string): Promise<MessageFrame[] | string> {
  const set = await peer.request('logging/setLevel', { level })
  if (set.kind !== 'result') return `the level ${level} cannot be set`
  // What was logged before the change may still be under way.
  await peer.settle()
  const { mark } = peer
  const call = await peer.request('tools/call', { name: TOOL, arguments: {} })
  if (call.kind !== 'result') return `the call of ${TOOL} failed`
  await peer.settle()
  return peer.heard(mark).filter(({ json }) => at(json, 'method') === 'notifications/message')
}
