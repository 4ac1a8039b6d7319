import {
  type Answers,
  askInTurn,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  isObject,
  type JsonObject,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { FORM, pageAt } from '../_plain-questions.ts'

const MODES_SINCE = '2025-11-25'

/** What this client declares decides which of the questions are right and which are not. */
const ASKING = script({
  drive: { name: 'initialize' },
  notes: (): Answers<'bare' | 'form' | 'url'> => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      const { capabilities, version } = call.conversation
      const { form, url } = modesIn(capabilities.elicitation)
      const ask = (params: JsonObject, odd: boolean) => ({ method: 'elicitation/create', params, odd })
      await askInTurn(call, notes, {
        bare: ask(FORM, !form),
        ...(version < MODES_SINCE
          ? {}
          : { form: ask({ mode: 'form', ...FORM }, !form), url: ask(pageAt('plain-page'), !url) }),
      })
      return { result: { tools: [] } }
    })
  },
})

/** An empty object means forms, and so does one that names no mode. */
function modesIn(capability: unknown): { form: boolean; url: boolean } {
  if (!isObject(capability)) return { form: false, url: false }
  const url = isObject(capability.url)
  return { form: isObject(capability.form) || !url, url }
}

export default clientScenario({
  title: 'The client asks its user in the modes that it declares, and in no other',
  script: ASKING,
  claims: {
    declared: 'elicitation.capability.declared',
    works: 'elicitation.capability.at-least-one-mode',
    bare: 'elicitation.request.client-defaults-to-form',
    empty: 'elicitation.capability.empty-means-form',
    otherMode: 'elicitation.error.undeclared-mode',
    unsupported: 'elicitation.error.capability-undeclared',
  },
  *run(seen) {
    const { notes } = seen
    const capability = declared(seen, 'elicitation')
    if (notes.bare === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const said = declaration(seen, `elicitation: ${JSON.stringify(capability) ?? 'not declared'}`)
    if (capability === undefined) {
      for (const claim of ['works', 'bare', 'empty', 'otherMode'] as const)
        yield judge(claim, 'n/a', 'elicitation', said)
      for (const reply of [notes.bare, notes.url])
        if (reply !== undefined)
          yield judge('declared', reply.kind !== 'result', 'nothing asked without the capability', reply)
      if (notes.bare.kind === 'result') yield unmet('it asks its user, though it does not declare that', 'unsupported')
      else yield judge('unsupported', refuses(notes.bare), 'error -32601 (or -32602)', notes.bare)
      return
    }
    yield judge('unsupported', 'n/a', 'no elicitation', said)
    const { form, url } = modesIn(capability)
    const asked = [notes.bare, notes.form, notes.url]
    if (!asked.some(reply => reply !== undefined && reply.kind !== 'none')) {
      yield unmet('its user was asked and nobody answered')
      return
    }
    const served = [...(form ? [notes.bare, notes.form] : []), ...(url ? [notes.url] : [])]
    for (const reply of served)
      if (reply !== undefined && reply.kind !== 'none')
        yield judge('works', asServed(reply), 'an answer of the user', reply)
    if (served.some(reply => reply?.kind === 'result')) yield judge('declared', true, 'the capability', said)
    const known = Object.keys(capability).every(member => member === 'form' || member === 'url')
    if (!known && capability.form === undefined && !url)
      yield judge('works', false, 'form or url among the modes', said)
    // Where even a plain form is left lying, it is the user who does not answer.
    const idle = notes.bare.kind === 'none' && notes.form?.kind !== 'result'
    if (form && idle) yield unmet('its user was shown a form and did not answer', 'bare')
    else if (form) yield judge('bare', asServed(notes.bare), 'a form for a request without mode', notes.bare)
    else yield judge('bare', codeOf(notes.bare) === codes.invalidParams, 'error -32602: no forms', notes.bare)
    const isEmpty = Object.keys(capability).length === 0
    if (!isEmpty) yield judge('empty', 'n/a', 'an empty elicitation', said)
    else {
      if (!idle) yield judge('empty', asServed(notes.bare), 'a form', notes.bare)
      if (notes.url !== undefined)
        yield judge('empty', codeOf(notes.url) === codes.invalidParams, 'error -32602 for a page', notes.url)
    }
    const others = [...(form ? [] : [notes.form]), ...(url ? [] : [notes.url])]
    if (form && url) yield judge('otherMode', 'n/a', 'a mode that is not declared', said)
    for (const reply of others)
      if (reply !== undefined) yield judge('otherMode', codeOf(reply) === codes.invalidParams, 'error -32602', reply)
  },
  defects: [
    {
      named: 'asks its user without having declared it',
      breaks: 'declared',
      replace: client => ({
        capabilities: () => ({}),
        serves: () => true,
        elicitation: { ...client.elicitation, modes: () => ['form', 'url'] },
      }),
    },
    {
      named: 'declares forms and pages, and knows neither',
      breaks: 'works',
      also: ['bare'],
      replace: { serves: method => method === 'ping' },
    },
    {
      named: 'has a stub in place of forms',
      breaks: 'works',
      also: ['bare'],
      replace: client => ({
        elicitation: {
          ...client.elicitation,
          fills: () => {
            throw new Error('not implemented')
          },
        },
      }),
    },
    {
      named: 'declares a mode that there is not',
      breaks: 'works',
      replace: { capabilities: () => ({ elicitation: { voice: {} } }) },
    },
    {
      named: 'wants a mode',
      breaks: 'bare',
      also: ['works'],
      replace: client => ({ elicitation: { ...client.elicitation, modeOf: params => params.mode ?? 'unknown' } }),
    },
    {
      named: 'opens pages, too',
      breaks: 'empty',
      also: ['otherMode'],
      replace: client => ({
        capabilities: () => ({ elicitation: {} }),
        elicitation: { ...client.elicitation, modes: () => ['form', 'url'] },
      }),
    },
    {
      named: 'an empty object means nothing to it',
      breaks: 'empty',
      also: ['works', 'bare'],
      replace: client => ({
        capabilities: () => ({ elicitation: {} }),
        elicitation: { ...client.elicitation, modes: () => [] },
      }),
    },
    {
      named: 'declines pages for its user',
      breaks: 'otherMode',
      replace: client => ({
        capabilities: () => ({ elicitation: { form: {} } }),
        elicitation: { ...client.elicitation, otherMode: () => ({ result: { action: 'decline' } }) },
      }),
    },
    {
      named: 'says nothing to what it does not know',
      breaks: 'unsupported',
      replace: { capabilities: () => ({}), onUnknownRequest: () => undefined },
    },
  ],
  variants: [
    {
      named: 'declares nothing',
      shows: ['declared', 'unsupported'],
      replace: { capabilities: () => ({}) },
    },
    {
      named: 'declares elicitation as it was before there were modes',
      shows: ['declared', 'works', 'bare', 'empty', 'otherMode'],
      replace: { capabilities: () => ({ elicitation: {} }) },
    },
    {
      named: 'only opens pages',
      shows: ['declared', 'works', 'bare', 'otherMode'],
      replace: { capabilities: () => ({ elicitation: { url: {} } }) },
    },
  ],
})

/** A fault inside the client is another matter than a mode that it does not know. */
const asServed = (reply: Reply): 'holds' | 'bends' | 'breaks' =>
  reply.kind === 'result' ? 'holds' : codeOf(reply) === codes.internalError ? 'bends' : 'breaks'

/** The specification has no code for this case: any other error is one, too. */
const refuses = (reply: Reply): 'holds' | 'bends' | 'breaks' => {
  const code = codeOf(reply)
  if (code === undefined) return 'breaks'
  return code === codes.methodNotFound || code === codes.invalidParams ? 'holds' : 'bends'
}
