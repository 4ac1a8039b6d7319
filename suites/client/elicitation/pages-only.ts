import {
  type Answers,
  askInTurn,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  judge,
  refusalFault,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { FORM, pageAt } from '../_plain-questions.ts'
import { opensPages } from './_web-pages.ts'

const ONLY_PAGES = script({
  drive: {
    name: 'elicitation-pages-only',
    client: { elicitation: { action: 'accept', url: true, form: false } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<'page' | 'form' | 'bare'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { elicitation } = call.conversation.capabilities
      const method = 'elicitation/create'
      if (opensPages(elicitation))
        await askInTurn(call, notes, {
          page: { method, params: pageAt('only-page') },
          form: { method, params: { mode: 'form', ...FORM }, odd: true },
          bare: { method, params: FORM, odd: true },
        })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'A client that declares URL elicitation alone serves it, and refuses forms with and without mode',
  needs: { since: '2025-11-25' },
  script: ONLY_PAGES,
  claims: {
    works: 'elicitation.capability.at-least-one-mode',
    otherMode: 'elicitation.error.undeclared-mode',
    bare: 'elicitation.request.client-defaults-to-form',
  },
  *run(seen) {
    const { page, form, bare } = seen.notes
    const capability = declared(seen, 'elicitation')
    if (seen.conversations.length > 0 && (!opensPages(capability) || capability?.form !== undefined)) {
      const got = declaration(seen, `elicitation: ${JSON.stringify(capability) ?? 'not declared'}`)
      for (const claim of ['works', 'otherMode', 'bare'] as const) yield judge(claim, 'n/a', 'pages and no forms', got)
      return
    }
    if (page === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    if (page.kind === 'none') {
      yield unmet('its user was asked about a page and did not answer')
      return
    }
    const internal = codeOf(page) === codes.internalError
    yield judge('works', page.kind === 'result' ? 'holds' : internal ? 'bends' : 'breaks', 'an answer', page)
    if (form !== undefined)
      yield judge('otherMode', codeOf(form) === codes.invalidParams, 'error -32602', form, refusalFault(form))
    if (bare !== undefined)
      yield judge('bare', codeOf(bare) === codes.invalidParams, 'error -32602: no forms', bare, refusalFault(bare))
  },
  defects: [
    {
      named: 'refuses the pages that it declares',
      breaks: 'works',
      kind: 'refused',
      replace: client => ({ elicitation: { ...client.elicitation, urlProblem: () => 'no pages here' } }),
    },
    {
      named: 'fills in forms all the same',
      breaks: 'otherMode',
      kind: 'accepted',
      also: ['bare'],
      replace: client => ({ elicitation: { ...client.elicitation, modes: () => ['form', 'url'] } }),
    },
    {
      named: 'takes what has no mode for a page',
      breaks: 'bare',
      kind: 'wrong-code',
      replace: client => ({
        requestProblem: () => undefined,
        elicitation: { ...client.elicitation, modeOf: params => params.mode ?? 'url', urlProblem: () => undefined },
      }),
    },
  ],
})
