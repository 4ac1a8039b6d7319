/** What a server lists: tools, prompts, resources, and what of them can be completed. */
import type { Reply } from '../peers/reply.ts'
import type { ServerPeer } from '../peers/server-peer.ts'
import { at, isObject, type JsonObject, textAt } from '../wire/json-rpc.ts'
import { argumentsIn, type Completable, variablesIn } from './completable.ts'

/** A server that never stops paging is asked for no more pages than this. */
const MAX_PAGES = 100

/** The entries of a list, over all its pages; `replies` has each page, the last of which may be no result. */
export async function listAll(
  peer: ServerPeer,
  method: string,
  member: string,
): Promise<{ entries: JsonObject[]; replies: Reply[] }> {
  const entries: JsonObject[] = []
  const replies: Reply[] = []
  const followed = new Set<string>()
  let cursor: string | undefined
  do {
    const reply = await peer.request(method, cursor === undefined ? undefined : { cursor })
    replies.push(reply)
    if (reply.kind !== 'result') break
    const next = textAt(reply.result, 'nextCursor')
    // A cursor that comes back leads in a circle: its page is one that was seen, and pagination is judged elsewhere.
    if (next !== undefined && followed.has(next)) break
    if (next !== undefined) followed.add(next)
    const page = at(reply.result, member)
    for (const entry of Array.isArray(page) ? page : []) if (isObject(entry)) entries.push(entry)
    cursor = next
  } while (cursor !== undefined && replies.length < MAX_PAGES)
  return { entries, replies }
}

/** Whether the target lists such a tool, prompt or resource: fixtures are looked up before they are used. */
export async function offers(
  peer: ServerPeer,
  kind: 'tools' | 'prompts' | 'resources',
  name: string,
): Promise<boolean> {
  if (!isObject(peer.capabilities[kind])) return false
  const { entries } = await listAll(peer, `${kind}/list`, kind)
  return entries.some(entry => entry[kind === 'resources' ? 'uri' : 'name'] === name)
}

/** All arguments and variables that the target lists; none where it does not declare prompts and resources. */
export async function completables(peer: ServerPeer): Promise<Completable[]> {
  const listed = async (capability: string, method: string, member: string): Promise<JsonObject[]> =>
    isObject(peer.capabilities[capability]) ? (await listAll(peer, method, member)).entries : []
  return [
    ...argumentsIn(await listed('prompts', 'prompts/list', 'prompts')),
    ...variablesIn(await listed('resources', 'resources/templates/list', 'resourceTemplates')),
  ]
}
