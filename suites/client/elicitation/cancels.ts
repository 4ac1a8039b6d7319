import {
  type Answers,
  actionOf,
  askInTurn,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  isObject,
  judge,
  refusalFault,
  script,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { FORM, pageAt } from '../_plain-questions.ts'

/** A client that declares elicitation as it was before there were modes, with a user who closes every dialog. */
const CANCELLING = script({
  drive: {
    name: 'elicitation-cancelled',
    client: { elicitation: { action: 'cancel', declare: 'empty' } },
    steps: [{ request: 'tools/list' }],
  },
  notes: (): Answers<'form' | 'page'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { elicitation } = call.conversation.capabilities
      const method = 'elicitation/create'
      if (isObject(elicitation))
        await askInTurn(call, notes, {
          form: { method, params: FORM },
          ...(Object.keys(elicitation).length === 0 && call.conversation.version >= '2025-11-25'
            ? { page: { method, params: pageAt('page-for-forms'), odd: true } }
            : {}),
        })
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'A user can close a form without a decision, and an empty capability means forms and no pages',
  needs: { since: '2025-06-18' },
  script: CANCELLING,
  claims: {
    option: 'elicitation.ui.cancel-option',
    empty: 'elicitation.capability.empty-means-form',
    otherMode: 'elicitation.error.undeclared-mode',
  },
  *run(seen) {
    const { form, page } = seen.notes
    const capability = declared(seen, 'elicitation')
    const said = declaration(seen, `elicitation: ${JSON.stringify(capability) ?? 'not declared'}`)
    const isEmpty = capability !== undefined && Object.keys(capability).length === 0
    if (seen.conversations.length > 0 && !isEmpty)
      for (const claim of ['empty', 'otherMode'] as const) yield judge(claim, 'n/a', 'an empty elicitation', said)
    if (seen.conversations.length > 0 && capability === undefined) yield judge('option', 'n/a', 'elicitation', said)
    if (form === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    yield judge('option', actionOf(form) === 'cancel', 'the action cancel', form)
    if (form.kind === 'none') yield unmet('its user was shown a form and did not answer', 'empty', 'otherMode')
    if (!isEmpty || form.kind === 'none') return
    yield judge('empty', form.kind === 'result', 'an answer to a form', form, { subject: 'form' })
    if (page === undefined) return
    yield judge('empty', codeOf(page) === codes.invalidParams, 'error -32602 for a page', page, {
      kind: refusalFault(page),
      subject: 'url',
    })
    yield judge('otherMode', codeOf(page) === codes.invalidParams, 'error -32602 for a page', page, refusalFault(page))
  },
  defects: [
    {
      named: 'says decline',
      breaks: 'option',
      kind: 'wrong-value',
      tamper: tampers.result('elicitation/create', () => ({ action: 'decline' })),
    },
    {
      named: 'asks about pages, too',
      breaks: 'empty',
      kind: 'accepted',
      also: ['otherMode'],
      replace: client => ({ elicitation: { ...client.elicitation, modes: () => ['form', 'url'] } }),
    },
    {
      named: 'says that it does not know the request',
      breaks: 'otherMode',
      kind: 'wrong-code',
      also: ['empty'],
      replace: client => ({
        elicitation: {
          ...client.elicitation,
          otherMode: () => ({ error: { code: codes.methodNotFound, message: 'Method not found' } }),
        },
      }),
    },
  ],
})
