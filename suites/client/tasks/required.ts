import { clientScenario, isObject, judge, script, sent, undone, unmet } from '../../../src/suite/client.ts'
import { calling, playTasks, TASKS, toolNamed } from './_called-tasks.ts'

const TOOL = 'add_numbers'

/** The tool that every driver calls can be called as a task only. */
const REQUIRING = script({
  drive: { name: 'tools_call' },
  setup: () => ({ capabilities: { tools: {}, tasks: TASKS }, tools: [toolNamed(TOOL, 'required')] }),
  play: server => playTasks(server, { [TOOL]: { statuses: ['completed'] } }, {}),
})

export default clientScenario({
  title: 'The client does not call a tool without a task whose taskSupport is required',
  needs: { since: '2025-11-25' },
  script: REQUIRING,
  claims: { required: 'tasks.tool.client-must-when-required' },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    const [listing] = sent(seen, 'tools/list')
    if (listing === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    for (const { params, frame } of calls)
      yield judge(
        'required',
        isObject(params.task),
        'params.task, as the taskSupport of the tool is required',
        frame,
        'missing',
      )
    // A client without tasks is right not to call it.
    if (calls.length === 0) yield judge('required', true, 'no plain call', seen.end.frame)
  },
  defects: [
    {
      named: 'calls as a task only what the user wants as one',
      breaks: 'required',
      kind: 'missing',
      replace: calling({ asTask: ({ wanted }) => wanted }),
    },
  ],
  variants: [
    {
      named: 'does not call what it cannot call',
      shows: ['required'],
      replace: { speaks: method => method !== 'tools/call' },
    },
  ],
})
