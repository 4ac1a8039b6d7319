/** A user who agrees to open the pages that a server wants opened: when it asks, and when it refuses a call for the lack of it. */
import { type Answers, askInTurn, isObject, type Json, type JsonObject, script } from '../../../src/suite/client.ts'
import { pageAt } from '../_plain-questions.ts'

/** An id is whatever the server likes. */
export const ODD_ID = 'a/ b?é#"1'
const DEMANDED = 'demanded-page'

const URL_ELICITATION_REQUIRED = -32042
const COMPLETE = 'notifications/elicitation/complete'

/** How long a client is watched that has no reason to send its call again. */
const UNMOVED_MS = 250
const LISTENS_MS = 1_000
/** For an answer that is on its way. */
const LET_GO_MS = 50
const EVER_MS = 600_000

export const PAGE_TOOL = { name: 'needs_page', inputSchema: { type: 'object' } }
export const DONE = { result: { content: [{ type: 'text', text: 'Done.' }] } }

export interface WebPages {
  asked: Answers<'plain' | 'odd' | 'alive'>
  /** calls of the tool that needs a page, in order: whether the user had been there */
  calls: { done: boolean }[]
  /** the calls that came upon the end of a page that this client knows nothing of; undefined where it could not be told */
  uponUnknown?: number
}

export const opensPages = (capability: Json | undefined): boolean => isObject(capability) && isObject(capability.url)

/** What a tool says as long as the user has not been somewhere. */
export const demanding = (page: JsonObject) => ({
  error: { code: URL_ELICITATION_REQUIRED, message: 'This needs your consent.', data: { elicitations: [page] } },
})

export const WEB_PAGES = script({
  drive: {
    name: 'elicitation-pages',
    client: { elicitation: { action: 'accept', url: true } },
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'needs_page', arguments: {} } },
      { request: 'tools/list' },
    ],
  },
  notes: (): WebPages => ({ asked: {}, calls: [] }),
  async play(server, notes) {
    let isDone = false
    server.on('tools/list', async call => {
      if (opensPages(call.conversation.capabilities.elicitation) && notes.asked.plain === undefined) {
        const ask = (id: string) => ({ method: 'elicitation/create', params: pageAt(id) })
        await askInTurn(call, notes.asked, { plain: ask('plain-page'), odd: ask(ODD_ID) })
        for (const elicitationId of ['nobody-knows', 'plain-page', 'plain-page', ODD_ID])
          await call.notify(COMPLETE, { elicitationId })
        await askInTurn(call, notes.asked, { alive: { method: 'ping' } })
      }
      return { result: { tools: [PAGE_TOOL] } }
    })
    server.on('tools/call', ({ conversation }) => {
      const done = isDone || !opensPages(conversation.capabilities.elicitation)
      notes.calls.push({ done })
      return done ? DONE : demanding(pageAt(DEMANDED))
    })
    await server.heard(({ method }) => method === 'tools/call', EVER_MS)
    const conversation = server.conversations.at(-1)
    // Over HTTP the end of a page is told on the stream that belongs to no request, which a client need not open.
    if (conversation === undefined || !(await conversation.listened(LISTENS_MS))) return
    await server.pause(LET_GO_MS)
    const before = notes.calls.length
    if (await conversation.notify(COMPLETE, { elicitationId: 'another-page' })) {
      await server.pause(UNMOVED_MS)
      notes.uponUnknown = notes.calls.length - before
    }
    isDone = true
    await conversation.notify(COMPLETE, { elicitationId: DEMANDED })
    await conversation.notify(COMPLETE, { elicitationId: DEMANDED })
  },
})
