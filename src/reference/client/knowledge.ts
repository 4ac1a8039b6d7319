/** What the client knows of its server by what it has listed and subscribed to: each session begins without. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import { followPages, type Listed, type PageRules } from './pages.ts'
import type { Reply } from './reply.ts'
import { toolsIn } from './results.ts'

export interface Knowledge {
  /** As they were listed last; undefined as long as they were not. */
  readonly tools: Map<string, JsonObject> | undefined
  readonly subscribed: Set<Json | undefined>
  /** A list, over all its pages. */
  list(method: string, params: JsonObject, ask: (page: JsonObject | undefined) => Promise<Reply>): Promise<Listed>
  /** What was known of the tools may be wrong now. */
  forgetTools(): void
  forget(): void
}

/** `onItem` sees each thing that is listed. */
export function createKnowledge(rules: PageRules, onItem: (item: Json) => void): Knowledge {
  const subscribed = new Set<Json | undefined>()
  let tools: Map<string, JsonObject> | undefined
  return {
    get tools() {
      return tools
    },
    subscribed,
    async list(method, params, ask) {
      // Params without members are left out.
      const listed = await followPages(rules, method, params, page =>
        ask(Object.keys(page).length === 0 ? undefined : page),
      )
      if (method === 'tools/list' && listed.reply.kind === 'result') tools = toolsIn(listed.items)
      for (const item of listed.items) onItem(item)
      return listed
    },
    forgetTools() {
      tools = undefined
    },
    forget() {
      tools = undefined
      subscribed.clear()
    },
  }
}
