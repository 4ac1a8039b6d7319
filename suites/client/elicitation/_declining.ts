/** A user who takes a moment and then says no: to a form, to a page, and to a page that a refused call demands. */
import { type Answers, askInTurn, type Hit, isObject, openListener, script } from '../../../src/suite/client.ts'
import { pageAt } from '../_plain-questions.ts'
import { DONE, demanding, opensPages, PAGE_TOOL } from './_web-pages.ts'

const MODES_SINCE = '2025-11-25'
const DECIDES_MS = 250
/** For a page that somebody opens when all is said. */
const AFTERWARDS_MS = 250
const EVER_MS = 600_000

export interface Declined {
  asked: Answers<'form' | 'page'>
  /** the call that demanded a page was made */
  demanded: boolean
  /** what came to the place where the pages are */
  hits: readonly Hit[]
}

export const DECLINING = script({
  drive: {
    name: 'elicitation-declined',
    client: { elicitation: { action: 'decline', url: true, delayMs: DECIDES_MS } },
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: 'needs_page', arguments: {} } },
      { pause: AFTERWARDS_MS },
    ],
  },
  notes: (): Declined => ({ asked: {}, demanded: false, hits: [] }),
  async play(server, notes) {
    const opening = openListener(server)
    server.on('tools/list', async call => {
      const { hits, at } = await opening
      notes.hits = hits
      const { elicitation } = call.conversation.capabilities
      if (Object.keys(notes.asked).length === 0) {
        const form = {
          message: 'Who are you?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        }
        const method = 'elicitation/create'
        const hasForms = isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined)
        await askInTurn(call, notes.asked, {
          ...(hasForms ? { form: { method, params: form } } : {}),
          ...(opensPages(elicitation) && call.conversation.version >= MODES_SINCE
            ? { page: { method, params: pageAt('asked-page', at('/asked')) } }
            : {}),
        })
      }
      return { result: { tools: [PAGE_TOOL] } }
    })
    server.on('tools/call', async call => {
      const { at } = await opening
      const { capabilities, version } = call.conversation
      if (!opensPages(capabilities.elicitation) || version < MODES_SINCE) return DONE
      notes.demanded = true
      return demanding(pageAt('demanded-page', at('/demanded')))
    })
    const listener = await opening
    await server.pause(EVER_MS)
    await listener.close()
  },
})
