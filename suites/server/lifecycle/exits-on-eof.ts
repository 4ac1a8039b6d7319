import { judge, serverScenario } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A server over stdio exits when its stdin is closed',
  needs: { via: 'stdio' },
  session: 'process',
  claims: { exits: 'lifecycle.shutdown.stdio-server-exits-on-eof' },
  async *run(peer) {
    const { process, timeouts } = peer
    if (process === undefined) return
    process.closeStdin()
    const end = await process.exited(timeouts.exitMs)
    if (end !== undefined) {
      yield judge('exits', true, 'an exit after the end of stdin', end)
      return
    }
    process.signal('SIGTERM')
    const after = await process.exited(timeouts.exitMs)
    const text = after === undefined ? 'it lives on, also after SIGTERM' : 'only SIGTERM ended it'
    yield judge(
      'exits',
      false,
      `an exit within ${timeouts.exitMs} ms after the end of stdin`,
      {
        text,
        frames: after === undefined ? [] : [after],
      },
      'ignored',
    )
  },
  defects: [
    { named: 'stays after the end of stdin', breaks: 'exits', kind: 'ignored', replace: { onEof: 'stay' } },
    {
      named: 'ignores SIGTERM, too',
      breaks: 'exits',
      kind: 'ignored',
      replace: { onEof: 'stay', onTerminate: 'stay' },
    },
    { named: 'a timer keeps the process alive', breaks: 'exits', kind: 'ignored', program: 'stays-after-eof' },
  ],
})
