/** Tools that come and go, and one that never comes to run. */
import { at, codes } from '../../wire/json-rpc.ts'
import type { SessionView } from '../views.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

/** The sessions in which the dynamic tool is there at the moment. */
const extended = new WeakSet<SessionView>()

const dynamic = tool('test_dynamic_tool', 'Comes and goes', () => text('This tool was added while the session ran.'))

export const toolChanges: Tool[] = [
  tool(
    'test_trigger_tool_change',
    'Adds a tool to the list, or takes it away again',
    (_args, { session, announce, policies }) => {
      if (!extended.delete(session)) extended.add(session)
      if (at(policies.capabilities, 'tools', 'listChanged') === true) announce('notifications/tools/list_changed')
      return text('the list of tools has changed')
    },
    undefined,
    { annotations: { readOnlyHint: false, destructiveHint: false } },
  ),
  // Stands for what happens around a tool: the tool itself never runs, so it has no result to report an error in.
  tool('test_server_failure', 'Fails before the tool is reached', () => ({
    error: { code: codes.internalError, message: 'Internal error: the tool could not be reached' },
  })),
]

/** What the session offers now. */
export const toolsOf = (catalogue: readonly Tool[], { session }: Tools): readonly Tool[] =>
  extended.has(session) ? [...catalogue, dynamic] : catalogue
