import {
  at,
  type JsonObject,
  judge,
  listAll,
  type Reply,
  serverScenario,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

const WITH_ARGUMENTS = 'test_prompt_with_arguments'
const WITH_RESOURCE = 'test_prompt_with_embedded_resource'

/** One expression between the brackets of many template engines; its value is not part of it. */
const BRACKETS = [
  ['{{', '}}'],
  ['${', '}'],
  ['#{', '}'],
  ['%{', '}'],
  ['<%=', '%>'],
  ['{% print', '%}'],
]
const EXPRESSIONS = BRACKETS.map(([open, close]) => `${open} 913*7 ${close}`)
const VALUE = '6391'
/** The first line of the password file of every Unix. */
const FILE = /root:[^:\n]*:0:0:/

const ATTEMPTS: { name: string; args: JsonObject; control: JsonObject; leaks: RegExp }[] = [
  {
    name: WITH_ARGUMENTS,
    control: { arg1: 'a', arg2: 'b' },
    args: { arg1: EXPRESSIONS.join(' '), arg2: 'b' },
    leaks: new RegExp(VALUE),
  },
  {
    name: WITH_ARGUMENTS,
    control: { arg1: 'a', arg2: 'b' },
    args: { arg1: '../../../../../../../../etc/passwd', arg2: 'file:///etc/passwd' },
    leaks: FILE,
  },
  {
    name: WITH_RESOURCE,
    control: { resourceUri: 'test://example-resource' },
    args: { resourceUri: 'file:///etc/passwd' },
    leaks: FILE,
  },
]

/** Hints only: that nothing comes back here does not prove that nothing can. */
export default serverScenario({
  title: 'Arguments of a prompt are neither evaluated as templates nor opened as files',
  needs: { capability: 'prompts' },
  claims: { inputs: 'prompts.security.inputs' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'prompts/list', 'prompts')
    const missing = new Set<string>()
    for (const { name, args, control, leaks } of ATTEMPTS) {
      const get = (given: JsonObject): PromiseLike<Reply> => peer.request('prompts/get', { name, arguments: given })
      if (!entries.some(prompt => prompt.name === name)) missing.add(`fixture ${name} not offered`)
      else if ((await get(control)).kind !== 'result') missing.add(`fixture ${name} cannot be got`)
      else {
        const reply = await get(args)
        // An error is a way to refuse them; silence is none.
        const leaked = reply.kind === 'result' && leaks.test(JSON.stringify(reply.result))
        const expected = `the values as they are, or an error, to ${JSON.stringify(args)}`
        yield judge('inputs', reply.kind !== 'none' && !leaked, expected, reply)
      }
    }
    if (missing.size > 0) yield unmet([...missing].join('; '))
  },
  defects: [
    {
      named: 'evaluates what looks like a template',
      breaks: 'inputs',
      tamper: answering(text => text.replace('{{ 913*7 }}', VALUE)),
    },
    {
      named: 'opens files that an argument names',
      breaks: 'inputs',
      tamper: answering(text => (text.includes('/etc/passwd') ? `${text} root:x:0:0:root:/root:/bin/sh` : text)),
    },
    {
      named: 'stops answering',
      breaks: 'inputs',
      replace: { drops: ({ params }) => String(at(params, 'arguments', 'arg1')).includes('../') },
    },
  ],
  variants: [
    {
      named: 'refuses such values',
      shows: ['inputs'],
      tamper: tampers.answer('prompts/get', (message, cause) =>
        /913|passwd/.test(JSON.stringify(cause.params))
          ? { jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'no' } }
          : message,
      ),
    },
    { named: 'has no such prompts', tamper: tampers.result('prompts/list', () => ({ prompts: [] })) },
  ],
})

/** Rewrites the text of the first message. */
function answering(rewrite: (text: string) => string) {
  return tampers.result('prompts/get', result => {
    const text = at(result, 'messages', 0, 'content', 'text')
    return typeof text === 'string'
      ? { messages: [{ role: 'user', content: { type: 'text', text: rewrite(text) } }] }
      : result
  })
}
