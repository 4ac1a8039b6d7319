import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  listAll,
  refusal,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const URI = 'test://example-resource'
const ARGUMENTS = { arg1: 'hello', arg2: 'world' }

/** What the fixtures return, as their contract says: in the first message, or in any. */
const FIXTURES = [
  {
    claim: 'simple',
    name: 'test_simple_prompt',
    expected: 'a user message "This is a simple prompt for testing."',
    fits: (content: JsonObject) => content.text === 'This is a simple prompt for testing.',
  },
  {
    claim: 'filled',
    name: 'test_prompt_with_arguments',
    args: ARGUMENTS,
    expected: "a user message \"Prompt with arguments: arg1='hello', arg2='world'\"",
    fits: (content: JsonObject) => content.text === "Prompt with arguments: arg1='hello', arg2='world'",
  },
  {
    claim: 'resource',
    name: 'test_prompt_with_embedded_resource',
    args: { resourceUri: URI },
    expected: `a user message with a resource whose URI is ${URI}`,
    fits: (content: JsonObject) => content.type === 'resource' && at(content, 'resource', 'uri') === URI,
  },
  {
    claim: 'image',
    name: 'test_prompt_with_image',
    expected: 'a user message with an image of type image/png',
    fits: (content: JsonObject) => content.type === 'image' && content.mimeType === 'image/png',
  },
] as const

export default serverScenario({
  title: 'The fixture prompts return what they are for',
  needs: { capability: 'prompts' },
  claims: {
    simple: 'prompts.get.supported',
    filled: 'prompts.get.supported',
    resource: 'prompts.resource.uri',
    image: 'prompts.image.mime-type',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'prompts/list', 'prompts')
    for (const fixture of FIXTURES) {
      const { claim, name, expected, fits } = fixture
      if (!entries.some(prompt => prompt.name === name)) {
        yield unmet(`fixture ${name} not offered`, claim)
        continue
      }
      const args = 'args' in fixture ? { arguments: fixture.args } : {}
      const reply = await peer.request('prompts/get', { name, ...args })
      const messages = reply.kind === 'result' ? at(reply.result, 'messages') : undefined
      const right = (message: Json): boolean => {
        const content = at(message, 'content')
        return at(message, 'role') === 'user' && isObject(content) && fits(content)
      }
      yield judge(claim, Array.isArray(messages) && messages.some(right), expected, reply)
    }
  },
  defects: [
    {
      named: 'another text',
      breaks: 'simple',
      kind: 'wrong-value',
      tamper: contentOf('test_simple_prompt', () => ({ type: 'text', text: 'Hello' })),
    },
    {
      named: 'fails where there are no arguments',
      breaks: 'simple',
      kind: 'refused',
      also: ['image'],
      tamper: tampers.answer('prompts/get', (message, cause) =>
        at(cause, 'params', 'arguments') === undefined
          ? refusal(-32603, 'Cannot read properties of undefined')(message)
          : message,
      ),
    },
    {
      named: 'the arguments are swapped',
      breaks: 'filled',
      kind: 'wrong-value',
      tamper: contentOf('test_prompt_with_arguments', () => ({
        type: 'text',
        text: "Prompt with arguments: arg1='world', arg2='hello'",
      })),
    },
    {
      named: 'the placeholders stay',
      breaks: 'filled',
      kind: 'wrong-value',
      tamper: contentOf('test_prompt_with_arguments', () => ({
        type: 'text',
        text: "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
      })),
    },
    {
      named: 'the resource has a URI of its own',
      breaks: 'resource',
      kind: 'wrong-value',
      tamper: contentOf('test_prompt_with_embedded_resource', content => ({
        ...content,
        ...(content.type === 'resource'
          ? { resource: { uri: 'test://other', mimeType: 'text/plain', text: 'x' } }
          : {}),
      })),
    },
    {
      named: 'the image is a link',
      breaks: 'image',
      kind: 'wrong-value',
      tamper: contentOf('test_prompt_with_image', () => ({ type: 'text', text: 'https://example.com/i.png' })),
    },
  ],
  variants: [
    { named: 'has no such prompts', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
    {
      named: 'has the simple one only',
      shows: ['simple'],
      tamper: tampers.result('prompts/list', () => ({ prompts: [{ name: 'test_simple_prompt' }] })),
    },
  ],
})

/** Rewrites the content of the messages of one prompt. */
function contentOf(name: string, rewrite: (content: JsonObject) => JsonObject) {
  return tampers.answer('prompts/get', (message, cause) => {
    const messages = at(message, 'result', 'messages')
    if (at(cause, 'params', 'name') !== name || !Array.isArray(messages)) return message
    return {
      ...message,
      result: {
        messages: messages.map(one => {
          const content = at(one, 'content')
          return isObject(content) ? { role: 'user', content: rewrite(content) } : one
        }),
      },
    }
  })
}
