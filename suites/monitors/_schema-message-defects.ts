/** Shapes that break a clause of the schema in what a server says or asks by itself, by area. */
import type { Json } from '../../src/suite/monitor.ts'
import { absent, answersFirst, breaking, changes, greets, type SchemaDefect, says } from './_shape-faults.ts'

const INITIALIZED = 'server/lifecycle/before-initialized'
const log = greets('notifications/message')

const LOGGING: SchemaDefect[] = [
  ...breaking(
    'logging.message.level',
    INITIALIZED,
    log,
    [
      ['missing', { data: 'hello' }],
      ['wrong-type', { level: 3, data: 'hello' }],
    ],
    { also: ['logging.levels.values'] },
  ),
  ...breaking('logging.levels.values', INITIALIZED, log, [
    ['wrong-value', { level: 'warn', data: 'hello' }],
    ['wrong-value', { level: 'INFO', data: 'hello' }],
    ['wrong-value', { level: 'fatal', data: 'hello' }],
  ]),
  ...breaking('logging.levels.values', 'server/logging/threshold', says('notifications/message'), [
    ['wrong-value', { level: 'INFO' }],
  ]),
  ...breaking('logging.message.data', INITIALIZED, log, [
    ['missing', { level: 'info' }],
    ['missing', { level: 'info', message: 'hello' }],
  ]),
  ...breaking('logging.message.logger-optional', INITIALIZED, log, [
    ['wrong-type', { level: 'info', data: 'hello', logger: null }],
    ['wrong-type', { level: 'info', data: 'hello', logger: { name: 'core' } }],
  ]),
]

const asksForm = says('elicitation/create')
const FORM = 'server/elicitation/form'
const URL_MODE = 'server/elicitation/by-url'

const ELICITATION: SchemaDefect[] = [
  ...breaking('elicitation.request.message', FORM, asksForm, [['wrong-type', { message: null }]]),
  ...breaking('elicitation.form.requested-schema', FORM, asksForm, [
    ['wrong-type', { requestedSchema: null }],
    ['missing', { requestedSchema: { properties: {} } }],
    ['missing', { requestedSchema: { type: 'object' } }],
  ]),
  ...breaking(
    'elicitation.form.requested-schema',
    'server/ping/answers',
    answersFirst('elicitation/create'),
    [
      [
        'wrong-value',
        {
          message: 'Which?',
          requestedSchema: {
            type: 'object',
            properties: { a: { type: 'array', items: { type: 'string', enum: ['x'] } } },
          },
        },
      ],
    ],
    { spec: '2025-06-18' },
  ),
  ...breaking('elicitation.url.request-members', URL_MODE, asksForm, [['missing', { url: absent }]], {
    also: ['elicitation.url.valid-url'],
  }),
  ...breaking('elicitation.url.request-members', URL_MODE, asksForm, [['missing', { elicitationId: absent }]]),
]

const SAMPLING = breaking('sampling.request.shape', 'server/sampling/plain', says('sampling/createMessage'), [
  ['wrong-type', { messages: null }],
  ['missing', { messages: [{ role: 'user' }] }],
  ['missing', { messages: [{ role: 'user', content: { text: 'hello' } }] }],
  ['missing', { maxTokens: absent }],
  ['wrong-type', { maxTokens: '100' }],
  ['wrong-type', { stopSequences: 'END' }],
  ['wrong-value', { includeContext: 'everybody' }],
])

const PROGRESS = progressOf('server/progress/reports')

/** Of either side. */
export function progressOf(on: string): SchemaDefect[] {
  const progress = says('notifications/progress')
  return [
    ...breaking('progress.notify.progress-number', on, progress, [
      ['wrong-type', { progress: '50%' }],
      ['missing', { progress: absent, percent: 50 }],
    ]),
    ...breaking('progress.notify.total-optional', on, progress, [['wrong-type', { total: null }]]),
    ...breaking('progress.notify.message-optional', on, progress, [['wrong-type', { message: {} }]]),
  ]
}

const TASKS: SchemaDefect[] = [
  ...breaking(
    'tasks.capability.shape',
    'server/lifecycle/handshake',
    (tasks: Json) => ({ replace: { capabilities: { tools: {}, tasks } } }),
    [
      ['wrong-type', { list: true }],
      ['wrong-type', { requests: { tools: { call: true } } }],
      ['wrong-type', { requests: ['tools/call'] }],
      ['wrong-type', true],
    ],
  ),
  ...statusOf('server'),
]

/** Of either side. */
export function statusOf(side: 'server' | 'client'): SchemaDefect[] {
  return [
    ...breaking('tasks.status.values', `${side}/tasks/results`, changes('tasks/get'), [
      ['wrong-value', { status: 'canceled' }],
    ]),
    ...breaking('tasks.status.notification-full-task', `${side}/tasks/polling`, says('notifications/tasks/status'), [
      ['missing', { createdAt: absent, lastUpdatedAt: absent, ttl: absent }],
    ]),
  ]
}

export const MESSAGE_DEFECTS: SchemaDefect[] = [...LOGGING, ...ELICITATION, ...SAMPLING, ...PROGRESS, ...TASKS]
