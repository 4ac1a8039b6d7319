import {
  type Answers,
  askInTurn,
  type ClientRun,
  clientScenario,
  codeOf,
  codes,
  declaration,
  declared,
  isObject,
  type JsonObject,
  judge,
  type Reply,
  refusalFault,
  script,
  undone,
  unmet,
  type Yielded,
} from '../../../src/suite/client.ts'
import { FORM, pageAt } from '../_plain-questions.ts'

const MODES_SINCE = '2025-11-25'

/** A form whose request names no mode, and the two modes by their names. */
type Mode = 'bare' | 'form' | 'url'
const NAMES = { bare: 'without mode', form: 'form', url: 'url' } as const

/** What this client declares decides which of the questions are right and which are not. */
const ASKING = script({
  drive: { name: 'initialize' },
  notes: (): Answers<Mode> => ({}),
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

const CLAIMS = {
  declared: 'elicitation.capability.declared',
  works: 'elicitation.capability.at-least-one-mode',
  bare: 'elicitation.request.client-defaults-to-form',
  empty: 'elicitation.capability.empty-means-form',
  otherMode: 'elicitation.error.undeclared-mode',
  unsupported: 'elicitation.error.capability-undeclared',
} as const

type Claim = keyof typeof CLAIMS

export default clientScenario({
  title: 'The client asks its user in the modes that it declares, and in no other',
  script: ASKING,
  claims: CLAIMS,
  *run(seen) {
    const capability = declared(seen, 'elicitation')
    if (seen.notes.bare === undefined) yield unmet(undone(seen, 'list the tools'))
    else if (capability === undefined) yield* judgeWithout(seen, seen.notes.bare)
    else {
      yield judge('unsupported', 'n/a', 'no elicitation', saidOf(seen))
      const { bare, form, url } = seen.notes
      if ([bare, form, url].some(reply => reply !== undefined && reply.kind !== 'none'))
        yield* judgeWith(seen, capability, bare)
      else yield unmet('its user was asked and nobody answered')
    }
  },
  defects: [
    {
      named: 'asks its user without having declared it',
      breaks: 'declared',
      kind: 'accepted',
      replace: client => ({
        capabilities: () => ({}),
        serves: () => true,
        elicitation: { ...client.elicitation, modes: () => ['form', 'url'] },
      }),
    },
    {
      named: 'declares forms and pages, and knows neither',
      breaks: 'works',
      kind: 'refused',
      also: ['bare'],
      replace: { serves: method => method === 'ping' },
    },
    {
      named: 'has a stub in place of forms',
      breaks: 'works',
      kind: 'refused',
      verdict: 'warn',
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
      kind: 'wrong-value',
      replace: { capabilities: () => ({ elicitation: { voice: {} } }) },
    },
    {
      named: 'wants a mode',
      breaks: 'bare',
      kind: 'refused',
      also: ['works'],
      replace: client => ({ elicitation: { ...client.elicitation, modeOf: params => params.mode ?? 'unknown' } }),
    },
    {
      named: 'opens pages, too',
      breaks: 'empty',
      kind: 'accepted',
      also: ['otherMode'],
      replace: client => ({
        capabilities: () => ({ elicitation: {} }),
        elicitation: { ...client.elicitation, modes: () => ['form', 'url'] },
      }),
    },
    {
      named: 'an empty object means nothing to it',
      breaks: 'empty',
      kind: 'refused',
      also: ['works', 'bare'],
      replace: client => ({
        capabilities: () => ({ elicitation: {} }),
        elicitation: { ...client.elicitation, modes: () => [] },
      }),
    },
    {
      named: 'declines pages for its user',
      breaks: 'otherMode',
      kind: 'accepted',
      replace: client => ({
        capabilities: () => ({ elicitation: { form: {} } }),
        elicitation: { ...client.elicitation, otherMode: () => ({ result: { action: 'decline' } }) },
      }),
    },
    {
      named: 'says nothing to what it does not know',
      breaks: 'unsupported',
      kind: 'silent',
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

type Run = ClientRun<Answers<Mode>>

const saidOf = (seen: Run) =>
  declaration(seen, `elicitation: ${JSON.stringify(declared(seen, 'elicitation')) ?? 'not declared'}`)

/** A client that does not declare elicitation asks its user nothing, and says so. */
function* judgeWithout(seen: Run, bare: Reply): Generator<Yielded<Claim>> {
  for (const claim of ['works', 'bare', 'empty', 'otherMode'] as const)
    yield judge(claim, 'n/a', 'elicitation', saidOf(seen))
  for (const mode of ['bare', 'url'] as const) {
    const reply = seen.notes[mode]
    if (reply !== undefined)
      yield judge('declared', reply.kind !== 'result', 'nothing asked without the capability', reply, {
        kind: 'accepted',
        subject: NAMES[mode],
      })
  }
  if (bare.kind === 'result') yield unmet('it asks its user, though it does not declare that', 'unsupported')
  else yield judge('unsupported', refuses(bare), 'error -32601 (or -32602)', bare, refusalFault(bare))
}

/** A client that declares elicitation serves its modes, and refuses the others. */
function* judgeWith(seen: Run, capability: JsonObject, bare: Reply): Generator<Yielded<Claim>> {
  const { notes } = seen
  const said = saidOf(seen)
  const { form, url } = modesIn(capability)
  const own: Mode[] = [...(form ? (['bare', 'form'] as const) : []), ...(url ? (['url'] as const) : [])]
  for (const mode of own) {
    const reply = notes[mode]
    if (reply !== undefined && reply.kind !== 'none')
      yield judge('works', asServed(reply), 'an answer of the user', reply, { subject: NAMES[mode] })
  }
  if (own.some(mode => notes[mode]?.kind === 'result')) yield judge('declared', true, 'the capability', said)
  const known = Object.keys(capability).every(member => member === 'form' || member === 'url')
  if (!known && capability.form === undefined && !url)
    yield judge('works', false, 'form or url among the modes', said, { subject: 'capabilities.elicitation' })
  // Where even a plain form is left lying, it is the user who does not answer.
  const idle = bare.kind === 'none' && notes.form?.kind !== 'result'
  if (form && idle) yield unmet('its user was shown a form and did not answer', 'bare')
  else if (form) yield judge('bare', asServed(bare), 'a form for a request without mode', bare)
  else yield judge('bare', isInvalid(bare), 'error -32602: no forms', bare, refusalFault(bare))
  yield* judgeEmpty(notes, Object.keys(capability).length === 0, said, idle)
  if (form && url) yield judge('otherMode', 'n/a', 'a mode that is not declared', said)
  for (const mode of [...(form ? [] : (['form'] as const)), ...(url ? [] : (['url'] as const))]) {
    const reply = notes[mode]
    if (reply !== undefined)
      yield judge('otherMode', isInvalid(reply), 'error -32602', reply, { kind: refusalFault(reply), subject: mode })
  }
}

/** An empty object means forms, and no pages. */
function* judgeEmpty(
  { bare, url }: Answers<Mode>,
  isEmpty: boolean,
  said: ReturnType<typeof saidOf>,
  idle: boolean,
): Generator<Yielded<'empty'>> {
  if (!isEmpty) {
    yield judge('empty', 'n/a', 'an empty elicitation', said)
    return
  }
  if (!idle && bare !== undefined) yield judge('empty', asServed(bare), 'a form', bare, { subject: NAMES.bare })
  if (url !== undefined)
    yield judge('empty', isInvalid(url), 'error -32602 for a page', url, { kind: refusalFault(url), subject: 'url' })
}

const isInvalid = (reply: Reply): boolean => codeOf(reply) === codes.invalidParams

/** A fault inside the client is another matter than a mode that it does not know. */
const asServed = (reply: Reply): 'holds' | 'bends' | 'breaks' =>
  reply.kind === 'result' ? 'holds' : codeOf(reply) === codes.internalError ? 'bends' : 'breaks'

/** The specification has no code for this case: any other error is one, too. */
const refuses = (reply: Reply): 'holds' | 'bends' | 'breaks' => {
  const code = codeOf(reply)
  if (code === undefined) return 'breaks'
  return code === codes.methodNotFound || code === codes.invalidParams ? 'holds' : 'bends'
}
