/** Tools that take their time, and say how far they are when the client gave them a token. */
import { clock } from '../../wire/clock.ts'
import { at, type JsonObject } from '../../wire/json-rpc.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

/** Time between two steps. */
const STEP_MS = 50
/** A slow tool is done in so many steps. */
const STEPS = 20

function report(params: JsonObject, tools: Tools, progress: number, total: number): void {
  const progressToken = at(params, '_meta', 'progressToken')
  if (progressToken !== undefined) tools.notify('notifications/progress', { progressToken, progress, total })
}

export const progressTools: Tool[] = [
  tool('test_tool_with_progress', 'Reports progress three times', async (_args, tools, params) => {
    for (const progress of [0, 50, 100]) {
      report(params, tools, progress, 100)
      await tools.policies.sleep(STEP_MS)
    }
    return text(String(at(params, '_meta', 'progressToken') ?? 'no progress token'))
  }),
  tool(
    'test_slow_tool',
    'Works for as long as it is told, reports progress all the while, and stops when it is cancelled',
    async (args, tools, params) => {
      const total = Number(args.milliseconds)
      const { now } = clock()
      const began = now()
      for (let spent = 0; spent < total && !tools.cancelled(); spent = now() - began) {
        report(params, tools, spent, total)
        await tools.policies.sleep(total / STEPS)
      }
      return text('Slow tool completed')
    },
    {
      type: 'object',
      properties: { milliseconds: { type: 'integer', minimum: 1, maximum: 60_000 } },
      required: ['milliseconds'],
    },
  ),
]
