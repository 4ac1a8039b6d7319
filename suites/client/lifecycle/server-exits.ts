import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  judge,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** The server closes its stdout and exits while a call is running. */
const EXITING = script({
  drive: { name: 'tools_call' },
  play(server) {
    server.on('tools/call', async call => {
      await call.conversation.hangUp()
      return { messages: [] }
    })
  },
})

export default clientScenario({
  title: 'The client notices that its server has ended, and does not wait for the answer any more',
  needs: { via: 'stdio' },
  script: EXITING,
  claims: { notices: 'lifecycle.shutdown.stdio-server-initiated' },
  *run(seen) {
    if (sent(seen, 'tools/call').length === 0) {
      yield unmet(undone(seen, 'call the tool'))
      return
    }
    const noticed = seen.end.how === 'exited' && !crashed(seen)
    yield judge('notices', noticed, 'an end in good order', fateOfClient(seen), endKind(seen))
  },
  defects: [
    { named: 'waits for ever', breaks: 'notices', kind: 'stuck', replace: { noticesEnd: () => false } },
    {
      named: 'crashes when the server has gone',
      breaks: 'notices',
      kind: 'died',
      replace: {
        noticesEnd: () => {
          throw new Error('write EPIPE')
        },
      },
    },
  ],
})
