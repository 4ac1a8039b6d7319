/** Tools whose schemas are written in several dialects of JSON Schema, and what a client says of them. */
import {
  type ClientRun,
  crashed,
  type Frame,
  fateOfClient,
  type JsonObject,
  type Kind,
  reported,
  type Script,
  type ServerSetup,
  script,
  sent,
  stepKind,
  type ToolDefinition,
  textAt,
} from '../../../src/suite/client.ts'

/** A tool that nothing is wrong with: the control, and what must go on to work. */
const PLAIN_TOOL: ToolDefinition = {
  name: 'plain',
  description: 'Has a plain schema',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
}

export interface Shown {
  tool: ToolDefinition
  args: JsonObject
  structuredContent: JsonObject
}

/** Lists the tools with a plain one, and has them called: the plain one, each of the others, and the plain one again. */
export function showing(name: string, shown: readonly Shown[]): Script {
  const all = [{ tool: PLAIN_TOOL, args: {}, structuredContent: { done: true } }, ...shown]
  const called = [...all, all[0] as Shown]
  return script({
    drive: {
      name,
      client: {},
      steps: [
        { request: 'tools/list' },
        ...called.map(({ tool, args }) => ({ request: 'tools/call', params: { name: tool.name, arguments: args } })),
      ],
    },
    setup: (): ServerSetup => ({
      tools: all.map(({ tool }) => tool),
      calls: Object.fromEntries(
        all.map(({ tool, structuredContent }) => [
          tool.name,
          () => ({
            result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
          }),
        ]),
      ),
    }),
  })
}

export interface Fate {
  /** undefined: nobody can tell */
  good: boolean | undefined
  got: { text: string; frames: Frame[] }
  /** what is wrong where it is not good: the method, or the tool that was called */
  fault: { kind: Kind; subject: string }
}

/** What became of a step: 0 is the list, 1 the first call. Without a word of the driver its end has to tell. */
export function fateOf(seen: ClientRun, step: number): Fate {
  const request = step === 0 ? sent(seen, 'tools/list')[0] : sent(seen, 'tools/call')[step - 1]
  const frames = [request?.frame ?? seen.end.frame]
  const subject = textAt(seen.drive.steps?.[step]?.params, 'name') ?? 'tools/list'
  const fault = { kind: stepKind(seen, step), subject }
  const told = seen.steps.get(step)
  if (told !== undefined) {
    const text = told.outcome === 'result' ? 'it takes the answer' : reported(told)
    return {
      good: told.outcome === 'unsupported' ? undefined : told.outcome === 'result',
      got: { text, frames },
      fault,
    }
  }
  const { text } = fateOfClient(seen)
  // Where a step is told of no more, the client did not come that far.
  const lost = crashed(seen) || (seen.steps.size > 0 && request !== undefined)
  const good = seen.steps.size === 0 && seen.end.code === 0 && request !== undefined ? true : lost ? false : undefined
  return { good, got: { text, frames }, fault }
}
