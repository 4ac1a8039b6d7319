/** The prompts of the reference server: those that SDK authors already know, and a few of our own. */

import { type PromptArguments, promptArguments } from '../../peers/server/prompt-arguments.ts'
import type { Revision } from '../../spec/revision.ts'
import { codes, type JsonObject } from '../../wire/json-rpc.ts'
import type { SessionView } from '../views.ts'
import { PIXEL, SILENCE } from './media.ts'
import { type Tool, text, tool } from './tool.ts'
import type { Tools } from './tools.ts'

type Answer = JsonObject | { error: { code: number; message: string } }

export interface Prompt {
  definition: JsonObject
  /** the first revision that has what it contains */
  since?: Revision
  make(args: PromptArguments): Answer
  /** What the values of its arguments may be; others are not completed. */
  candidates?: Record<string, (args: PromptArguments) => string[]>
}

const refuse = (message: string): Answer => ({ error: { code: codes.invalidParams, message } })
const say = (...contents: JsonObject[]): JsonObject => ({
  messages: contents.map(content => ({ role: 'user', content })),
})
const words = (value: string): JsonObject => ({ type: 'text', text: value })
const argument = (name: string, required = true): JsonObject => ({ name, description: `The ${name}`, required })

const prompts: Prompt[] = [
  {
    definition: { name: 'test_simple_prompt', title: 'Simple', description: 'A prompt without arguments' },
    make: () => say(words('This is a simple prompt for testing.')),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with two arguments',
      arguments: [argument('arg1'), argument('arg2')],
    },
    make: ({ arg1, arg2 }) => say(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    candidates: {
      arg1: () => ['testament', 'testimony', 'testing', 'contest'],
      // What fits depends on what was chosen before.
      arg2: ({ arg1 }) => (arg1 === undefined ? ['one', 'two'] : [`${arg1} one`, `${arg1} two`]),
    },
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt with a resource in it',
      arguments: [argument('resourceUri')],
    },
    make: ({ resourceUri = '' }) =>
      URL.canParse(resourceUri)
        ? say(
            {
              type: 'resource',
              resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
            },
            words('Please look at the resource above.'),
          )
        : refuse('resourceUri must be a URI'),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'A prompt with a picture' },
    make: () => say({ type: 'image', data: PIXEL, mimeType: 'image/png' }, words('Please look at the picture above.')),
  },
  {
    definition: { name: 'test_prompt_with_other_content', description: 'A prompt with sound, a link, and an answer' },
    since: '2025-06-18',
    make: () => ({
      description: 'Everything that the other prompts do not have',
      messages: [
        { role: 'user', content: { type: 'audio', data: SILENCE, mimeType: 'audio/wav' } },
        {
          role: 'user',
          content: { type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
        },
        {
          role: 'assistant',
          content: {
            ...words('I hear nothing.'),
            annotations: { audience: ['user'], priority: 0.5, lastModified: '2025-11-25T00:00:00Z' },
          },
        },
      ],
    }),
  },
  {
    definition: {
      name: 'test_prompt_with_many_values',
      description: 'A prompt whose argument has 150 possible values',
      arguments: [argument('value', false)],
    },
    make: ({ value = 'none' }) => say(words(`The value is ${value}`)),
    candidates: { value: () => Array.from({ length: 150 }, (_, at) => `value ${at + 1}`) },
  },
  {
    definition: {
      name: 'test_failing_prompt',
      description: 'A prompt whose making fails unexpectedly, and so does the completion of its argument',
      arguments: [argument('topic', false)],
    },
    make: () => {
      throw new Error('This prompt intentionally fails for testing')
    },
    candidates: {
      topic: () => {
        throw new Error('This completion intentionally fails for testing')
      },
    },
  },
]

const dynamic: Prompt = {
  definition: { name: 'test_dynamic_prompt', description: 'A prompt that is not always there' },
  make: () => say(words('This prompt was added later.')),
}
/** Sessions in which it is there. */
const changed = new WeakSet<SessionView>()

/** What the session offers now. */
export const promptsOf = (session: SessionView): Prompt[] =>
  (changed.has(session) ? [...prompts, dynamic] : prompts).filter(({ since = '' }) => (session.version ?? '') >= since)

export const promptTools: Tool[] = [
  tool(
    'test_trigger_prompt_change',
    'Adds a prompt to the list, or takes it away again',
    (_args, { session, notify }) => {
      if (!changed.delete(session)) changed.add(session)
      notify('notifications/prompts/list_changed', {})
      return text('the list of prompts has changed')
    },
    undefined,
    { annotations: { readOnlyHint: false, destructiveHint: false } },
  ),
]

export function getPrompt(params: JsonObject, { session }: Tools): Answer {
  const prompt = promptsOf(session).find(one => one.definition.name === params.name)
  if (prompt === undefined) return refuse('there is no such prompt')
  const args = promptArguments(prompt.definition, params.arguments)
  return typeof args === 'string' ? refuse(args) : prompt.make(args)
}
