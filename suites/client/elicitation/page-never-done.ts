import { clientScenario, endKind, fateOfClient, judge, script, sent, undone, unmet } from '../../../src/suite/client.ts'
import { pageAt } from '../_plain-questions.ts'
import { DONE, demanding, opensPages, PAGE_TOOL } from './_web-pages.ts'

/** The user agrees to open the page, and nobody ever says that it is done. */
const NEVER_DONE = script({
  drive: {
    name: 'elicitation-page-never-done',
    client: { elicitation: { action: 'accept', url: true } },
    steps: [{ request: 'tools/call', params: { name: PAGE_TOOL.name, arguments: {} } }, { request: 'tools/list' }],
  },
  setup: () => ({ tools: [PAGE_TOOL] }),
  play(server) {
    server.on('tools/call', ({ conversation }) =>
      opensPages(conversation.capabilities.elicitation) ? demanding(pageAt('never-done')) : DONE,
    )
  },
})

export default clientScenario({
  title: 'The client stays usable when it is never notified that a URL elicitation is complete',
  needs: { capability: 'elicitation.url', since: '2025-11-25' },
  script: NEVER_DONE,
  claims: { controls: 'elicitation.complete.client-manual-controls' },
  *run(seen) {
    const last = sent(seen, 'tools/call').at(-1)
    if (last === undefined) {
      yield unmet(undone(seen, 'call the tool that needs a page'))
      return
    }
    const next = sent(seen, 'tools/list').find(({ frame }) => frame.seq > last.frame.seq)
    const expected = 'a client that can be used further'
    if (next !== undefined) yield judge('controls', true, expected, next.frame)
    // A crash is judged by elicitation/page-required.
    else yield judge('controls', seen.end.how !== 'stopped', expected, fateOfClient(seen), endKind(seen))
  },
  defects: [
    {
      named: 'waits for ever',
      breaks: 'controls',
      kind: 'stuck',
      replace: client => ({ elicitation: { ...client.elicitation, completionWaitMs: 50_000 } }),
    },
  ],
  variants: [
    {
      named: 'leaves the next call to its user',
      shows: ['controls'],
      replace: client => ({ elicitation: { ...client.elicitation, completionWaitMs: 0 } }),
    },
  ],
})
