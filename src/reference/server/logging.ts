/** Log messages of the reference server: the level of a session, and the tool that writes some. */
import { LOG_LEVELS } from '../../spec/log-levels.ts'
import { codes, type JsonObject } from '../../wire/json-rpc.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Feature, Tools } from './tools.ts'

/** Time between two log messages of the tool. */
const STEP_MS = 50

export const setLevel: Feature = ({ level }, { session }) => {
  if (typeof level !== 'string' || !LOG_LEVELS.includes(level))
    return { error: { code: codes.invalidParams, message: 'there is no such level' } }
  session.logLevel = level
  return {}
}

/** Sends a log message of a request, where the client wants such messages. */
function log(level: string, data: string, { session, policies, notify }: Tools): void {
  if (policies.logs(level, session.logLevel)) notify('notifications/message', { level, data } satisfies JsonObject)
}

export const loggingTools: Tool[] = [
  tool('test_tool_with_logging', 'Logs three times', async (_args, tools) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      log('info', data, tools)
      await tools.policies.sleep(STEP_MS)
    }
    return text('Tool with logging executed successfully')
  }),
]
