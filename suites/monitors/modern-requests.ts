import { judge, monitor, request, shapeOf, tampers, textAt, theirMessages } from '../../src/suite/monitor.ts'

export default monitor({
  title: 'A server without sessions sends no requests, wherever it speaks',
  needs: { since: '2026-07-28' },
  claims: {
    none: 'patterns.server-never-initiates-requests',
    output: 'transport-stdio.server-no-requests',
    streams: 'transport-http.sse-no-server-requests',
  },
  start: context => context,
  *see({ via }, frame) {
    for (const message of theirMessages(frame)) {
      const subject = textAt(message, 'method')
      const silent = shapeOf(message) !== 'request'
      const fault = { kind: 'unasked' as const, ...(subject === undefined ? {} : { subject }) }
      yield judge('none', silent, 'notifications and responses', frame, fault)
      yield judge(via === 'http' ? 'streams' : 'output', silent, 'notifications and responses', frame, fault)
    }
  },
  defects: (['none', 'output', 'streams'] as const).map(claim => ({
    named: 'asks for the roots in front of its result',
    on: 'server/tools/modern-call',
    breaks: claim,
    kind: 'unasked' as const,
    also: ['none', 'output', 'streams'] as const,
    tamper: tampers.answer('tools/call', message => [request('server-1', 'roots/list'), message]),
  })),
})
