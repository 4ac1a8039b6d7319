/**
 * Tools that ask the user (client/elicitation): by a form, or by a page of the server where a credential is entered that
 * must not pass through the client. `test_elicitation_url_finish` stands for the user who finishes that page.
 */
import { at, isObject, type Json, type JsonObject, textAt } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import type { Answer } from './answer.ts'
import type { Interaction } from './interaction.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

const URL_ELICITATION_REQUIRED = -32042

const failed = (value: string): JsonObject => ({ ...text(value), isError: true })

const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

/** Asks by form; an answer that does not fit the form is refused. */
async function askByForm(
  tools: Tools,
  message: string,
  requestedSchema: JsonObject,
  use: (content: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const { policies, session } = tools
  if (!policies.elicits('form', session)) return failed('the client offers no elicitation by form')
  const reply = await tools.ask('elicitation/create', { message, requestedSchema })
  const action = at(reply, 'result', 'action')
  if (action === 'decline' || action === 'cancel') {
    return policies.insists(action) ? askByForm(tools, message, requestedSchema, use) : text(`User response: ${action}`)
  }
  if (action !== 'accept') return failed('the client gave no valid answer')
  const content = at(reply, 'result', 'content')
  const problem = policies.answerProblems(requestedSchema, content)
  if (problem !== undefined) return failed(`the answer does not fit the form: ${problem}`)
  return use(isObject(content) ? content : {})
}

const told = (content: JsonObject): JsonObject => text(`User response: accept ${JSON.stringify(content)}`)

const choices = (...pairs: [string, string][]): Json => pairs.map(([value, title]) => ({ const: value, title }))

const DEFAULTS = object(
  {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
  [],
)

const VALUES = choices(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option'])
const ENUMS = object(
  {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: VALUES },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: VALUES } },
  },
  [],
)

const formTools: Tool[] = [
  tool(
    'test_elicitation',
    'Asks the user for a name and an e-mail address',
    (args, tools) =>
      askByForm(
        tools,
        textAt(args, 'message') ?? '',
        object({
          username: { type: 'string', description: 'Your name here' },
          email: { type: 'string', format: 'email', description: 'Your e-mail address' },
        }),
        told,
      ),
    object({ message: { type: 'string' } }),
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks with a default for every kind of field', (_args, tools) =>
    askByForm(tools, 'Please review your details', DEFAULTS, told),
  ),
  tool('test_elicitation_sep1330_enums', 'Asks for a choice of every kind', (_args, tools) =>
    askByForm(tools, 'Please choose', ENUMS, told),
  ),
  // Who somebody says to be is no proof of it (client/elicitation#identifying-the-user).
  tool('test_elicitation_identity', 'Asks who the user is, and shows the note of that user', (_args, tools) =>
    askByForm(tools, 'Who are you?', object({ username: { type: 'string' } }), ({ username }) =>
      failed(`nothing shows that you are ${String(username)}`),
    ),
  ),
]

interface Desk {
  waiting: Map<string, Interaction>
  /** credentials that were entered and not used yet */
  credentials: Map<unknown, string>
}

/** One for each running server, which its policies stand for. */
const desks = new WeakMap<Policies, Desk>()

function deskOf(policies: Policies): Desk {
  const desk = desks.get(policies) ?? { waiting: new Map(), credentials: new Map() }
  desks.set(policies, desk)
  return desk
}

/** Needs a credential: uses the one that was entered, else has the user asked for it. */
const needsCredential =
  (request: (elicitation: JsonObject, tools: Tools) => Answer | Promise<Answer>): Tool['call'] =>
  (_args, tools) => {
    const { policies, session } = tools
    const { waiting, credentials } = deskOf(policies)
    const user = policies.userOf(session)
    if (credentials.delete(user)) return text('The credential was received.')
    if (!policies.elicits('url', session)) return failed('the client offers no elicitation by URL')
    const id = policies.elicitationIds()
    waiting.set(id, { id, user, announce: tools.announce })
    return request(
      {
        mode: 'url',
        elicitationId: id,
        url: `https://example.com/credential?elicitation=${id}`,
        message: 'This tool works with a key of yours, which you enter at our page.',
      },
      tools,
    )
  }

function finish(args: JsonObject, tools: Tools): JsonObject {
  const { policies } = tools
  const { waiting, credentials } = deskOf(policies)
  const found = waiting.get(textAt(args, 'elicitationId') ?? '')
  if (found === undefined) return failed('there is no such interaction')
  waiting.delete(found.id)
  credentials.set(found.user, textAt(args, 'credential') ?? '')
  for (const { announce } of policies.hears(found, [...waiting.values()])) {
    announce('notifications/elicitation/complete', { elicitationId: found.id })
  }
  return text('The interaction is finished.')
}

const urlTools: Tool[] = [
  tool(
    'test_elicitation_url',
    'Needs a credential, and asks for it by URL',
    needsCredential(async (elicitation, tools) => {
      const reply = await tools.ask('elicitation/create', elicitation)
      // Accepting is consent to open the page, and no more.
      if (at(reply, 'result', 'action') === 'accept') return failed('Waiting for the credential.')
      deskOf(tools.policies).waiting.delete(String(elicitation.elicitationId))
      return failed('Without the credential this tool cannot work.')
    }),
  ),
  tool(
    'test_elicitation_url_required',
    'Needs a credential, and is refused without it',
    needsCredential(elicitation => ({
      error: {
        code: URL_ELICITATION_REQUIRED,
        message: 'This request needs a credential',
        data: { elicitations: [elicitation] },
      },
    })),
  ),
  tool(
    'test_elicitation_url_finish',
    'Stands for the user who enters the credential',
    finish,
    object({ elicitationId: { type: 'string' }, credential: { type: 'string' } }),
  ),
]

export const elicitationTools: Tool[] = [...formTools, ...urlTools]
