import {
  at,
  followResults,
  instanceProblems,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  monitor,
  tampers,
} from '../../src/suite/monitor.ts'

const ON = 'client/elicitation/defaults'
const PAGES = 'client/elicitation/pages'
const DECLINED = 'client/elicitation/declines'

/**
 * What the client says of its user, whatever was asked (client/elicitation#response-actions). Which actions there are, and of
 * which types values may be, is a matter of monitors/schema.
 */
export default monitor({
  title: 'The client gives content for an accepted form, and for nothing else',
  sides: ['client'],
  needs: { since: '2025-06-18' },
  claims: {
    content: 'elicitation.result.accept-form-content',
    page: 'elicitation.result.url-no-content',
    refusal: 'elicitation.result.decline-cancel-no-content',
  },
  start: () => ({ resultsIn: followResults('elicitation/create') }),
  *see({ resultsIn }, frame) {
    for (const { params, result } of resultsIn(frame)) {
      // Asked for as a task: this is the task, and what the user does comes later.
      if (at(params, 'task') !== undefined && isObject(at(result, 'task'))) continue
      const action = at(result, 'action')
      const content = at(result, 'content')
      if (action === 'decline' || action === 'cancel')
        yield judge('refusal', emptiness(content), 'no content', frame, { kind: 'unasked', subject: action })
      if (action !== 'accept') continue
      if (at(params, 'mode') === 'url') yield judge('page', emptiness(content), 'no content', frame, 'unasked')
      else if (content === undefined || isFilled(content)) {
        const problem = contentProblem(at(params, 'requestedSchema'), content)
        const got = { text: problem?.problem ?? 'all of that', frames: [frame] }
        yield judge('content', problem?.outcome ?? 'holds', 'content that fits the form', got, problem?.kind)
      }
    }
  },
  defects: [
    { named: 'accepts and keeps the content', kind: 'missing', ...saying('content', ON, { content: undefined }) },
    {
      named: 'a text for a number',
      kind: 'wrong-value',
      verdict: 'warn',
      ...saying('content', ON, { content: { age: '30' } }),
    },
    {
      named: 'leaves out what is required',
      on: 'client/elicitation/validates',
      breaks: 'content',
      kind: 'missing',
      tamper: tampers.result('elicitation/create', result => ({ ...result, content: {} })),
    },
    { named: 'content for a page', kind: 'unasked', ...saying('page', PAGES, { content: { key: 'abc' } }) },
    {
      named: 'content when it declines',
      kind: 'unasked',
      ...saying('refusal', DECLINED, { content: { name: 'Ann' } }),
    },
    {
      named: 'empty content when it declines',
      kind: 'unasked',
      verdict: 'info',
      ...saying('refusal', DECLINED, { content: {} }),
    },
  ],
  variants: [
    { named: 'an accepted form', on: ON, shows: ['content'], replace: {} },
    { named: 'an accepted page', on: PAGES, shows: ['page'], replace: {} },
    { named: 'refusals', on: DECLINED, shows: ['refusal'], replace: {} },
    {
      named: 'numbers that are no integers, and lists',
      on: 'client/elicitation/kinds',
      shows: ['content'],
      tamper: tampers.answer('elicitation/create', (message, cause) => {
        const type = at(cause, 'params', 'requestedSchema', 'properties', 'field', 'type')
        const content: JsonObject = type === 'number' ? { field: 0.5 } : type === 'array' ? { field: [] } : {}
        return { ...message, result: { action: 'accept', content } }
      }),
    },
  ],
})

/** An empty object says nothing, and is no more than needless. */
function emptiness(content: Json | undefined): 'holds' | 'bends' | 'breaks' {
  if (content === undefined) return 'holds'
  return isObject(content) && Object.keys(content).length === 0 ? 'bends' : 'breaks'
}

const isValue = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(one => typeof one === 'string'))

const isFilled = (content: Json): content is JsonObject => isObject(content) && Object.values(content).every(isValue)

/** A value that the form does not want was let in by the user, too. */
function contentProblem(
  schema: Json | undefined,
  content: JsonObject | undefined,
): { outcome: 'bends' | 'breaks'; kind: Kind; problem: string } | undefined {
  if (content === undefined) return { outcome: 'breaks', kind: 'missing', problem: 'no content' }
  const required = at(schema, 'required')
  const missing = (Array.isArray(required) ? required : []).find(name => !Object.hasOwn(content, String(name)))
  if (missing !== undefined)
    return { outcome: 'breaks', kind: 'missing', problem: `${String(missing)} is required and missing` }
  // The dialect of a form is given: whatever it calls itself.
  const { $schema: _, ...plain } = isObject(schema) ? schema : {}
  const misfit = instanceProblems(plain, content)
  return misfit === undefined ? undefined : { outcome: 'bends', kind: 'wrong-value', problem: misfit }
}

function saying<C extends string>(breaks: C, on: string, change: JsonObject) {
  return { breaks, on, tamper: tampers.result('elicitation/create', result => ({ ...result, ...change })) }
}
