import { judge, type ServerPeer, serverScenario, unmet, withClientTasks } from '../../../src/suite/server.ts'
import { play } from './_client-tasks.ts'

const FIXTURE = 'test_sampling_as_task'

export default serverScenario({
  title: 'A server asks plainly where its client declares no tasks, or none for such a request',
  needs: { capability: 'tools', fixture: { tool: FIXTURE }, since: '2025-11-25' },
  session: 'fresh',
  hello: { capabilities: { sampling: {} } },
  claims: {
    none: 'tasks.capability.none-without-tasks',
    listed: 'tasks.capability.requestor-only-declared',
  },
  async *run(peer) {
    const without = await asksForTask(peer)
    if (!without.asked) {
      yield unmet(`${FIXTURE} asked the client for nothing`)
      return
    }
    yield judge('none', !without.asTask, 'no task: we declared none', without.reply, 'unasked')
    const other = await peer.another({ capabilities: { sampling: {}, tasks: { list: {}, cancel: {}, requests: {} } } })
    if (other.opening?.kind !== 'result') {
      yield unmet('no second session could be opened', 'listed')
      return
    }
    const few = await asksForTask(other)
    yield judge('listed', !few.asTask, 'no task: we declared none for sampling', few.reply, 'unasked')
  },
  defects: [
    {
      named: 'gives tasks to everybody',
      breaks: 'none',
      kind: 'unasked',
      also: ['listed'],
      replace: withClientTasks({ declared: () => true }),
    },
    {
      named: 'gives tasks to everybody who has some',
      breaks: 'listed',
      kind: 'unasked',
      replace: withClientTasks({ declared: (_method, { tasks }) => tasks !== undefined }),
    },
  ],
})

async function asksForTask(peer: ServerPeer) {
  const played = play(peer, { statuses: ['completed'] })
  const reply = await peer.request('tools/call', { name: FIXTURE, arguments: {} })
  return { ...played, reply }
}
