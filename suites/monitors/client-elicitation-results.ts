import {
  at,
  followResults,
  instanceProblems,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  tampers,
} from '../../src/suite/monitor.ts'

const ON = 'client/elicitation/defaults'
const PAGES = 'client/elicitation/pages'
const DECLINED = 'client/elicitation/declines'

const ACTIONS = ['accept', 'decline', 'cancel']

/** What the client says of its user, whatever was asked (client/elicitation#response-actions). */
export default monitor({
  title: 'The client tells what its user did by one of three actions, with content only for an accepted form',
  sides: ['client'],
  needs: { since: '2025-06-18' },
  claims: {
    action: 'elicitation.result.action-values',
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
      const isAction = typeof action === 'string' && ACTIONS.includes(action)
      yield judge('action', isAction, 'the action accept, decline or cancel', frame)
      if (!isAction) continue
      if (action !== 'accept') yield judge('refusal', emptiness(content), 'no content', frame)
      else if (at(params, 'mode') === 'url') yield judge('page', emptiness(content), 'no content', frame)
      else {
        const problem = contentProblem(at(params, 'requestedSchema'), content)
        const got = { text: problem?.problem ?? 'all of that', frames: [frame] }
        yield judge('content', problem?.outcome ?? 'holds', 'content that fits the form', got)
      }
    }
  },
  defects: [
    { named: 'rejects', ...saying('action', ON, { action: 'reject' }) },
    { named: 'no action', ...saying('action', ON, { action: undefined }) },
    { named: 'accepts and keeps the content', ...saying('content', ON, { content: undefined }) },
    { named: 'a list of values', ...saying('content', ON, { content: ['Ann'] }) },
    { named: 'a value that is an object', ...saying('content', ON, { content: { name: { first: 'Ann' } } }) },
    { named: 'null for what is not filled in', ...saying('content', ON, { content: { name: null } }) },
    { named: 'a text for a number', ...saying('content', ON, { content: { age: '30' } }) },
    {
      named: 'leaves out what is required',
      on: 'client/elicitation/validates',
      breaks: 'content',
      tamper: tampers.result('elicitation/create', result => ({ ...result, content: {} })),
    },
    { named: 'content for a page', ...saying('page', PAGES, { content: { key: 'abc' } }) },
    { named: 'content when it declines', ...saying('refusal', DECLINED, { content: { name: 'Ann' } }) },
    { named: 'empty content when it declines', ...saying('refusal', DECLINED, { content: {} }) },
  ],
  variants: [
    { named: 'an accepted form', on: ON, shows: ['action', 'content'], replace: {} },
    { named: 'an accepted page', on: PAGES, shows: ['action', 'page'], replace: {} },
    { named: 'refusals', on: DECLINED, shows: ['action', 'refusal'], replace: {} },
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

/** What a form can't have as an answer is wrong; a value that the form does not want was let in by the user, too. */
function contentProblem(
  schema: Json | undefined,
  content: Json | undefined,
): { outcome: 'bends' | 'breaks'; problem: string } | undefined {
  if (!isObject(content)) return { outcome: 'breaks', problem: 'no content' }
  const odd = Object.keys(content).find(name => !isValue(content[name]))
  if (odd !== undefined) return { outcome: 'breaks', problem: `${odd} is ${JSON.stringify(content[odd])}` }
  const required = at(schema, 'required')
  const missing = (Array.isArray(required) ? required : []).find(name => !Object.hasOwn(content, String(name)))
  if (missing !== undefined) return { outcome: 'breaks', problem: `${String(missing)} is required and missing` }
  // The dialect of a form is given: whatever it calls itself.
  const { $schema: _, ...plain } = isObject(schema) ? schema : {}
  const misfit = instanceProblems(plain, content)
  return misfit === undefined ? undefined : { outcome: 'bends', problem: misfit }
}

function saying<C extends string>(breaks: C, on: string, change: JsonObject) {
  return { breaks, on, tamper: tampers.result('elicitation/create', result => ({ ...result, ...change })) }
}
