/** Shapes that break a clause of the schema in what a client asks, answers and says, by area. */
import { isObject, type Json, type JsonObject, tampers } from '../../src/suite/monitor.ts'
import { progressOf, statusOf } from './_schema-message-defects.ts'
import {
  absent,
  answers,
  breaking,
  changes,
  greets,
  type SchemaDefect,
  type SchemaVariant,
  says,
} from './_shape-faults.ts'

const ROOTS_ASKED = 'client/roots/answers'
const roots = answers('roots/list')
const root = (entry: JsonObject) => roots({ roots: [entry] })

const ROOTS: SchemaDefect[] = [
  ...breaking('roots.list.result-shape', ROOTS_ASKED, roots, [
    ['wrong-type', { roots: {} }],
    ['wrong-type', { roots: ['/project'] }],
    ['missing', { roots: [{ name: 'project' }] }],
    ['wrong-type', { roots: null }],
  ]),
  ...breaking('roots.root.name-optional', ROOTS_ASKED, root, [
    ['wrong-type', { uri: 'file:///project', name: null }],
    ['wrong-type', { uri: 'file:///project', name: { en: 'project' } }],
  ]),
]

const ASKED = 'client/sampling/plain'
const model = changes('sampling/createMessage')
const WHOLE = { also: ['sampling.result.content-types'] }
const WORDS = { type: 'text', text: 'Hello.' }

/** The uses of tools lack a member. */
const usesWithout = (member: string) => ({
  tamper: tampers.result('sampling/createMessage', result => ({
    ...result,
    content: Array.isArray(result.content)
      ? result.content.map(block =>
          isObject(block) && block.type === 'tool_use' ? { ...block, [member]: absent } : block,
        )
      : (result.content ?? null),
  })),
})

const SAMPLING: SchemaDefect[] = [
  ...breaking('sampling.result.shape', ASKED, model, [
    ['missing', { model: absent }],
    ['wrong-type', { stopReason: null }],
  ]),
  ...breaking(
    'sampling.result.shape',
    ASKED,
    model,
    [
      ['missing', { content: absent }],
      ['wrong-type', { content: 'Hello.' }],
    ],
    WHOLE,
  ),
  ...breaking('sampling.result.shape', ASKED, model, [['wrong-type', { content: [WORDS] }]], {
    ...WHOLE,
    spec: '2025-06-18',
  }),
  ...breaking('sampling.result.content-types', ASKED, model, [
    ['missing', { content: { type: 'text' } }],
    ['missing', { content: { type: 'image', data: 'AAAA' } }],
    ['wrong-value', { content: { type: 'resource_link', uri: 'a:b', name: 'a' } }],
  ]),
  ...breaking('sampling.result.content-types', 'client/sampling/tool-rounds', usesWithout, [['missing', 'input']]),
]

const user = changes('elicitation/create')

const ELICITATION: SchemaDefect[] = [
  ...breaking('elicitation.result.action-values', 'client/elicitation/defaults', user, [
    ['wrong-value', { action: 'reject' }],
    ['missing', { action: absent }],
  ]),
  ...breaking('elicitation.result.accept-form-content', 'client/elicitation/defaults', user, [
    ['wrong-type', { content: ['Ann'] }],
    ['wrong-type', { content: { name: { first: 'Ann' } } }],
    ['wrong-type', { content: { name: null } }],
  ]),
]

const COMPLETED = 'client/completion/completes'
const completes = says('completion/complete')

const COMPLETION: SchemaDefect[] = [
  ...breaking('completion.request.ref-types', COMPLETED, completes, [
    ['wrong-value', { ref: { type: 'ref/tool', name: 'greeting' } }],
    ['missing', { ref: { type: 'ref/prompt' } }],
    ['missing', { ref: { type: 'ref/resource', name: 'file:///{path}' } }],
  ]),
  ...breaking('completion.request.argument', COMPLETED, completes, [
    ['missing', { argument: { name: 'name' } }],
    ['wrong-type', { argument: { name: 'name', value: 7 } }],
    ['wrong-type', { argument: 'A' }],
  ]),
]

const LOGGING = breaking<JsonObject | undefined>(
  'logging.levels.values',
  // A server that declares logging.
  'client/base/unknown-method',
  greets('logging/setLevel'),
  [
    ['wrong-value', { level: 'warn' }],
    ['wrong-value', { level: 'INFO' }],
    ['wrong-value', { level: 'fatal' }],
    ['wrong-type', { level: 3 }],
    ['wrong-type', { level: null }],
  ],
)

const TASKS: SchemaDefect[] = [
  ...breaking(
    'tasks.capability.shape',
    'client/lifecycle/opens',
    (tasks: Json) => ({ replace: { capabilities: () => ({ tasks }) } }),
    [
      ['wrong-type', true],
      ['wrong-type', { list: true }],
      ['wrong-type', { requests: ['sampling/createMessage'] }],
      ['wrong-type', { requests: { elicitation: { create: true } } }],
    ],
  ),
  ...statusOf('client'),
]

export const CLIENT_DEFECTS: SchemaDefect[] = [
  ...ROOTS,
  ...SAMPLING,
  ...ELICITATION,
  ...COMPLETION,
  ...LOGGING,
  ...progressOf('client/progress/reports'),
  ...TASKS,
]

const ANSWERED = ['sampling.result.shape', 'sampling.result.content-types']

/** Legal messages of other forms than those of the reference: each of these clauses holds there. */
export const CLIENT_VARIANTS: SchemaVariant[] = [
  {
    named: 'tells its roots',
    on: 'client/roots/answers',
    shows: ['roots.list.result-shape', 'roots.root.name-optional'],
    replace: {},
  },
  {
    named: 'has no roots',
    on: 'client/roots/answers',
    shows: ['roots.list.result-shape'],
    ...answers('roots/list')({ roots: [] }),
  },
  { named: 'a plain answer of the model', on: 'client/sampling/plain', shows: ANSWERED, replace: {} },
  { named: 'uses of tools', on: 'client/sampling/tool-rounds', shows: ANSWERED, replace: {} },
  {
    named: 'a picture, and a reason of its own',
    on: 'client/sampling/plain',
    shows: ANSWERED,
    ...model({ content: { type: 'image', data: 'AAAA', mimeType: 'image/png' }, stopReason: 'tired' }),
  },
  {
    named: 'several blocks and no reason',
    on: 'client/sampling/plain',
    shows: ANSWERED,
    ...model({
      content: [
        { type: 'text', text: 'Hello.' },
        { type: 'text', text: 'Hello.' },
      ],
      stopReason: undefined,
    }),
  },
  {
    named: 'an accepted form',
    on: 'client/elicitation/defaults',
    shows: ['elicitation.result.action-values', 'elicitation.result.accept-form-content'],
    replace: {},
  },
  ...['client/elicitation/pages', 'client/elicitation/declines'].map(on => ({
    named: 'an answer without a form',
    on,
    shows: ['elicitation.result.action-values'],
    replace: {},
  })),
  {
    named: 'numbers that are no integers, and lists',
    on: 'client/elicitation/kinds',
    shows: ['elicitation.result.accept-form-content'],
    ...changes('elicitation/create')({ action: 'accept', content: { field: 0.5, more: [] } }),
  },
  {
    named: 'sets a level where logging is declared',
    on: 'client/base/unknown-method',
    shows: ['logging.levels.values'],
    ...greets('logging/setLevel')({ level: 'emergency' }),
  },
]
