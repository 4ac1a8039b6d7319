/** Forms for the user of a client, by the tool of the official suite: any client that is prepared for that accepts them as they are. */
import {
  type Answers,
  askInTurn,
  type JsonObject,
  type Question,
  type Reply,
  script,
} from '../../../src/suite/client.ts'

/** The form of the official suite: a default for each kind of value. */
export const DEFAULTS = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true }

const WITH_DEFAULTS: JsonObject = {
  name: { type: 'string', description: 'User name', default: DEFAULTS.name },
  age: { type: 'integer', description: 'User age', default: DEFAULTS.age },
  score: { type: 'number', description: 'User score', default: DEFAULTS.score },
  status: {
    type: 'string',
    description: 'User status',
    enum: ['active', 'inactive', 'pending'],
    default: DEFAULTS.status,
  },
  verified: { type: 'boolean', description: 'Verification status', default: DEFAULTS.verified },
}

const TITLED = [
  { const: '#f00', title: 'Red' },
  { const: '#0f0', title: 'Green' },
]

/** One field of each kind; none has to be filled in. */
export const KINDS: Record<string, JsonObject> = {
  'a text with limits': { type: 'string', title: 'Word', minLength: 1, maxLength: 50, pattern: '^[a-z]+$' },
  'an e-mail address': { type: 'string', format: 'email' },
  'a URI': { type: 'string', format: 'uri' },
  'a date': { type: 'string', format: 'date' },
  'a time': { type: 'string', format: 'date-time' },
  'a number': { type: 'number', minimum: 0, maximum: 1.5 },
  'an integer': { type: 'integer', minimum: 1, maximum: 9 },
  'a yes or no': { type: 'boolean', default: false },
  'one of some': { type: 'string', enum: ['red', 'green'] },
  'one of some with titles': { type: 'string', oneOf: TITLED },
  'several of some': { type: 'array', minItems: 0, maxItems: 2, items: { type: 'string', enum: ['red', 'green'] } },
  'several of some with titles': { type: 'array', items: { anyOf: TITLED } },
  'one of some in the old way': { type: 'string', enum: ['red', 'green'], enumNames: ['Red', 'Green'] },
}

const formOf = (message: string, properties: JsonObject): Question => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties } },
})

export const FORMS = script({
  drive: { name: 'elicitation-sep1034-client-defaults' },
  setup: () => ({ tools: [{ name: 'test_client_elicitation_defaults', inputSchema: { type: 'object' } }] }),
  notes: (): { defaults?: Reply; kinds: Answers<string> } => ({ kinds: {} }),
  play(server, notes) {
    server.on('tools/call', async call => {
      const { elicitation } = call.conversation.capabilities
      const forms = elicitation !== undefined && !isUrlOnly(elicitation)
      if (forms && notes.defaults === undefined) {
        const { method, params } = formOf('Please review your profile', WITH_DEFAULTS)
        const form = await call.ask(method, params)
        notes.defaults = form
        const kinds = Object.entries(KINDS).map(([kind, field]) => [kind, formOf('Please fill this in', { field })])
        if (form.kind !== 'none') await askInTurn(call, notes.kinds, Object.fromEntries(kinds))
      }
      return { result: { content: [{ type: 'text', text: 'Elicitation completed' }] } }
    })
  },
})

const isUrlOnly = (capability: unknown): boolean =>
  Object.hasOwn(capability as object, 'url') && !Object.hasOwn(capability as object, 'form')
