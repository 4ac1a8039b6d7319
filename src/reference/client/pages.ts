/** Lists in pages (server/utilities/pagination): followed to their end, whatever the size of a page. */
import { at, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { failed, type Reply } from './reply.ts'

/** How the client follows a list, as values that can be replaced. */
export interface PageRules {
  /** The cursor of the first request: there is none. */
  first(method: string): Json | undefined
  /** The cursor as it is sent back: as it came. */
  cursor(given: string, method: string): Json
  /** The params that ask for a page. */
  params(cursor: Json | undefined, params: JsonObject): JsonObject
  /** Whether there is another page behind this one. */
  continues(page: PageSeen): boolean
}

export interface PageSeen {
  items: readonly Json[]
  nextCursor: Json | undefined
  /** the one that led to this page */
  cursor: Json | undefined
  /** so many pages came, this one included */
  count: number
}

/** A server without end must not keep us for ever. */
const MAX_PAGES = 1_000

export const correctPages = (): PageRules => ({
  first: () => undefined,
  cursor: given => given,
  params: (cursor, params) => (cursor === undefined ? params : { ...params, cursor }),
  // A page that leads to itself would be read for ever.
  continues: ({ nextCursor, cursor, count }) =>
    typeof nextCursor === 'string' && nextCursor !== cursor && count < MAX_PAGES,
})

/** The member that holds the items, by the method. */
export const LISTS: Record<string, string> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'tasks/list': 'tasks',
}

export interface Listed {
  reply: Reply
  items: Json[]
}

/** All pages; the reply is the last one. */
export async function followPages(
  rules: PageRules,
  method: string,
  params: JsonObject,
  ask: (params: JsonObject) => Promise<Reply>,
): Promise<Listed> {
  const member = LISTS[method] ?? ''
  const items: Json[] = []
  let cursor = rules.first(method)
  for (let count = 1; ; count += 1) {
    const reply = await ask(rules.params(cursor, params))
    if (reply.kind !== 'result') return { reply, items }
    const page = at(reply.result, member)
    if (!Array.isArray(page)) return { reply: failed('invalid', `the result has no list of ${member}`), items }
    items.push(...page)
    const nextCursor = at(reply.result, 'nextCursor')
    if (!rules.continues({ items: page, nextCursor, cursor, count })) return { reply, items }
    cursor = rules.cursor(String(nextCursor), method)
  }
}
