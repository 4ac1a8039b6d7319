import {
  at,
  type Json,
  judge,
  listAll,
  memberFault,
  type Reply,
  refusal,
  serverScenario,
  success,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'prompts/list gives an array of prompts, each name once',
  needs: { capability: 'prompts' },
  claims: {
    supported: 'prompts.list.supported',
    unique: 'prompts.prompt.name-unique',
    flag: 'prompts.capability.list-changed-flag',
  },
  async *run(peer) {
    const flag = at(peer.capabilities, 'prompts', 'listChanged')
    yield judge(
      'flag',
      flag === undefined || typeof flag === 'boolean',
      'listChanged absent or a boolean',
      {
        text: `listChanged: ${JSON.stringify(flag) ?? 'absent'}`,
        frames: peer.opening?.frames ?? [],
      },
      'wrong-type',
    )
    for (const params of [undefined, {}]) {
      const reply = await peer.request('prompts/list', params)
      const right = reply.kind === 'result' && Array.isArray(at(reply.result, 'prompts'))
      yield judge('supported', right, `an array of prompts to params ${JSON.stringify(params) ?? 'left out'}`, reply, {
        kind: memberFault(reply, 'prompts'),
        subject: params === undefined ? 'without params' : 'with empty params',
      })
      if (right) continue
      yield unmet('prompts/list gives no array of prompts', 'unique')
      return
    }
    const { entries, replies } = await listAll(peer, 'prompts/list', 'prompts')
    // What came twice because the list changed while we read it does not come twice again.
    const twice = repeated(entries.map(({ name }) => name))
    const again = twice.length === 0 ? undefined : await listAll(peer, 'prompts/list', 'prompts')
    const stays = repeated((again?.entries ?? []).map(({ name }) => name)).filter(name => twice.includes(name))
    const expected = 'each name once in the whole list'
    const frames = [...replies, ...(again?.replies ?? [])].flatMap((reply: Reply) => reply.frames)
    if (stays.length === 0)
      yield judge('unique', true, expected, { text: `${entries.length} prompts with different names`, frames })
    for (const name of stays) {
      const got = { text: `more than once: ${JSON.stringify(name)}`, frames }
      yield judge('unique', false, expected, got, { kind: 'duplicate', subject: name })
    }
  },
  defects: [
    {
      named: 'the flag is a text',
      breaks: 'flag',
      kind: 'wrong-type',
      replace: { capabilities: { prompts: { listChanged: 'true' } } },
    },
    {
      named: 'prompts is an object',
      breaks: 'supported',
      kind: 'wrong-type',
      tamper: tampers.result('prompts/list', () => ({ prompts: { x: {} } })),
    },
    {
      named: 'the list has another name',
      breaks: 'supported',
      kind: 'missing',
      tamper: tampers.result('prompts/list', ({ prompts }) => ({ items: prompts })),
    },
    {
      named: 'wants params',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('prompts/list', (message, cause) =>
        cause.params === undefined ? refusal(-32602)(message) : message,
      ),
    },
    {
      named: 'wants a cursor',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.answer('prompts/list', (message, cause) =>
        cause.params !== undefined && at(cause, 'params', 'cursor') === undefined ? refusal(-32602)(message) : message,
      ),
    },
    {
      named: 'is declared, but unknown',
      breaks: 'supported',
      kind: 'refused',
      tamper: tampers.refuse('prompts/list', -32601),
    },
    { named: 'lists a prompt twice', breaks: 'unique', kind: 'duplicate', tamper: listing('x', 'y', 'x') },
    {
      named: 'lists a prompt once more on the second page',
      breaks: 'unique',
      kind: 'duplicate',
      tamper: tampers.answer('prompts/list', (message, cause) =>
        success({
          prompts: [{ name: 'x' }],
          ...(at(cause, 'params', 'cursor') === undefined ? { nextCursor: '2' } : {}),
        })(message),
      ),
    },
  ],
  variants: [
    { named: 'says nothing about changes', replace: { capabilities: { prompts: {} } } },
    { named: 'has no prompts', tamper: listing() },
    { named: 'names that differ in case only', tamper: listing('x', 'X') },
    {
      named: 'a list that grows while it is read',
      replace: () => {
        let asked = 0
        return {
          capabilities: { prompts: {} },
          extraMethods: {
            'prompts/list': ({ cursor }) => {
              asked += 1
              return cursor === undefined
                ? { prompts: [{ name: 'x' }], nextCursor: '2' }
                : { prompts: [{ name: asked === 4 ? 'x' : 'y' }] }
            },
          },
        }
      },
    },
  ],
})

const repeated = (names: (Json | undefined)[]): string[] =>
  [...new Set(names)].filter(
    (name): name is string => typeof name === 'string' && names.indexOf(name) !== names.lastIndexOf(name),
  )

function listing(...names: string[]) {
  return tampers.result('prompts/list', () => ({ prompts: names.map(name => ({ name })) }))
}
