/** Our server gives the client tasks, lists them, cancels one and lets another one go on to its end. */
import { type Call, createdId, isTerminal, type Reply, script, statusIn, textAt } from '../../../src/suite/client.ts'
import { type Given, TTL_MS, takenBy, tasksOf, WILLING_CLIENT } from './_received-tasks.ts'

/** A client that never stops paging is asked for no more pages than this. */
const MAX_PAGES = 20
/** Progress shows whether a model works: that of the task that is cancelled, and of one that is not. */
export const CANCELLED = 'token-of-the-cancelled-task'
export const FINISHED = 'token-of-the-finished-task'
export const OTHER = 'token-of-a-third-task'

interface Notes extends Given {
  taskIds: string[]
  /** those that tasks/get found in front of the list and behind it */
  kept: string[]
  pages: Reply[]
  /** the answer to tasks/cancel; absent where the task had ended already */
  cancelled?: Reply
  /** what has become of the task by then */
  settled?: Reply
  again?: Reply
  result?: Reply
  /** another one of the same kind, at its end */
  ended?: Reply
  late?: Reply
  /** what has become of the cancelled one by then */
  later?: Reply
}

export const ENDING = script({
  drive: { name: 'ends-of-tasks', client: WILLING_CLIENT, steps: [{ request: 'tools/list' }] },
  notes: (): Notes => ({ taken: [], taskIds: [], kept: [], pages: [] }),
  play(server, notes) {
    server.on('tools/list', async call => {
      if (notes.capabilities === undefined) await end(call, notes, ms => server.pause(ms))
      return { result: { tools: [] } }
    })
  },
})

async function end(call: Call, notes: Notes, pause: (ms: number) => Promise<void>): Promise<void> {
  notes.capabilities = call.conversation.capabilities
  notes.taken = takenBy(notes.capabilities)
  const tasks = tasksOf(call, pause)
  const [method] = notes.taken
  if (method === undefined) return
  const found = async (ids: readonly string[]): Promise<string[]> => {
    const replies = await Promise.all(ids.map(async id => ({ id, reply: await tasks.get(id) })))
    return replies.flatMap(({ id, reply }) => (reply.kind === 'result' ? [id] : []))
  }
  const begin = async (progressToken: string): Promise<string | undefined> => {
    const id = createdId(await tasks.create(method, { ttl: TTL_MS }, { progressToken }))
    if (id !== undefined) notes.taskIds.push(id)
    return id
  }
  const first = await begin(CANCELLED)
  if (first === undefined) return
  // While it still works: everything else can wait.
  const running = await tasks.get(first)
  if (!isTerminal(statusIn(running))) notes.cancelled = await tasks.cancel(first)
  if (notes.cancelled !== undefined) notes.settled = await tasks.get(first)
  const second = await begin(FINISHED)
  await begin(OTHER)
  if (second === undefined) return
  if (notes.cancelled !== undefined) {
    notes.again = await tasks.cancel(first)
    notes.result = await tasks.result(first)
  }
  const rest = notes.taskIds.slice(1)
  const before = await found(rest)
  notes.pages = await walk(call)
  // What expired or was purged meanwhile is no loss.
  notes.kept = await found(before)

  // By the end of another task the work of the cancelled one would have come to its end, too.
  notes.ended = await tasks.untilEnd(second)
  notes.late = await tasks.cancel(second)
  notes.later = await tasks.get(first)
}

/** All pages of tasks/list. */
async function walk(call: Call): Promise<Reply[]> {
  const pages: Reply[] = []
  let cursor: string | undefined
  do {
    const page = await call.ask('tasks/list', cursor === undefined ? undefined : { cursor })
    pages.push(page)
    cursor = page.kind === 'result' ? textAt(page.result, 'nextCursor') : undefined
  } while (cursor !== undefined && pages.length < MAX_PAGES)
  return pages
}
