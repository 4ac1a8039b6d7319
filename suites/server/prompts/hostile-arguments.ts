import {
  at,
  type JsonObject,
  judge,
  type Kind,
  listAll,
  type Reply,
  refusal,
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

interface Attempt {
  name: string
  what: string
  args: JsonObject
  control: JsonObject
  /** what shows that it succeeded, and what is wrong then */
  leaks: RegExp
  kind: Kind
}

const ATTEMPTS: Attempt[] = [
  {
    name: WITH_ARGUMENTS,
    control: { arg1: 'a', arg2: 'b' },
    args: { arg1: EXPRESSIONS.join(' '), arg2: 'b' },
    what: 'expressions of templates',
    leaks: new RegExp(VALUE),
    kind: 'wrong-value',
  },
  {
    name: WITH_ARGUMENTS,
    control: { arg1: 'a', arg2: 'b' },
    args: { arg1: '../../../../../../../../etc/passwd', arg2: 'file:///etc/passwd' },
    what: 'paths of a file',
    leaks: FILE,
    kind: 'leaked',
  },
  {
    name: WITH_RESOURCE,
    control: { resourceUri: 'test://example-resource' },
    args: { resourceUri: 'file:///etc/passwd' },
    what: 'the URI of a file',
    leaks: FILE,
    kind: 'leaked',
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
    for (const { name, what, args, control, leaks, kind } of ATTEMPTS) {
      const get = (given: JsonObject): PromiseLike<Reply> => peer.request('prompts/get', { name, arguments: given })
      if (!entries.some(prompt => prompt.name === name)) missing.add(`fixture ${name} not offered`)
      else if ((await get(control)).kind !== 'result') missing.add(`fixture ${name} cannot be got`)
      else {
        const reply = await get(args)
        // An error is a way to refuse them; silence is none.
        const leaked = reply.kind === 'result' && leaks.test(JSON.stringify(reply.result))
        const expected = `the values as they are, or an error, to ${JSON.stringify(args)}`
        yield judge('inputs', reply.kind !== 'none' && !leaked, expected, reply, { kind, subject: `${name}: ${what}` })
      }
    }
    if (missing.size > 0) yield unmet([...missing].join('; '))
  },
  defects: [
    {
      named: 'evaluates what looks like a template',
      breaks: 'inputs',
      kind: 'wrong-value',
      tamper: answering(text => text.replace('{{ 913*7 }}', VALUE)),
    },
    {
      named: 'opens files that an argument names',
      breaks: 'inputs',
      kind: 'leaked',
      tamper: answering(text => (text.includes('/etc/passwd') ? `${text} root:x:0:0:root:/root:/bin/sh` : text)),
    },
    {
      named: 'stops answering',
      breaks: 'inputs',
      kind: 'silent',
      replace: { drops: ({ params }) => String(at(params, 'arguments', 'arg1')).includes('../') },
    },
  ],
  variants: [
    {
      named: 'refuses such values',
      shows: ['inputs'],
      tamper: tampers.answer('prompts/get', (message, cause) =>
        /913|passwd/.test(JSON.stringify(cause.params)) ? refusal(-32602, 'no')(message) : message,
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
