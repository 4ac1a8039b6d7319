import { at, type Json, judge, listAll, type Reply, serverScenario, tampers, unmet } from '../../../src/suite/server.ts'

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
    yield judge('flag', flag === undefined || typeof flag === 'boolean', 'listChanged absent or a boolean', {
      text: `listChanged: ${JSON.stringify(flag) ?? 'absent'}`,
      frames: peer.opening?.frames ?? [],
    })
    for (const params of [undefined, {}]) {
      const reply = await peer.request('prompts/list', params)
      const right = reply.kind === 'result' && Array.isArray(at(reply.result, 'prompts'))
      yield judge('supported', right, `an array of prompts to params ${JSON.stringify(params) ?? 'left out'}`, reply)
      if (right) continue
      yield unmet('prompts/list gives no array of prompts', 'unique')
      return
    }
    const { entries, replies } = await listAll(peer, 'prompts/list', 'prompts')
    // What came twice because the list changed while we read it does not come twice again.
    const twice = repeated(entries.map(({ name }) => name))
    const again = twice.length === 0 ? undefined : await listAll(peer, 'prompts/list', 'prompts')
    const stays = repeated((again?.entries ?? []).map(({ name }) => name)).filter(name => twice.includes(name))
    yield judge('unique', stays.length === 0, 'each name once in the whole list', {
      text:
        stays.length === 0
          ? `${entries.length} prompts with different names`
          : `more than once: ${stays.map(name => JSON.stringify(name)).join(', ')}`,
      frames: [...replies, ...(again?.replies ?? [])].flatMap((reply: Reply) => reply.frames),
    })
  },
  defects: [
    { named: 'the flag is a text', breaks: 'flag', replace: { capabilities: { prompts: { listChanged: 'true' } } } },
    {
      named: 'prompts is an object',
      breaks: 'supported',
      tamper: tampers.result('prompts/list', () => ({ prompts: { x: {} } })),
    },
    {
      named: 'the list has another name',
      breaks: 'supported',
      tamper: tampers.result('prompts/list', ({ prompts }) => ({ items: prompts })),
    },
    {
      named: 'wants params',
      breaks: 'supported',
      tamper: tampers.answer('prompts/list', (message, cause) =>
        cause.params === undefined ? refused(message.id) : message,
      ),
    },
    {
      named: 'wants a cursor',
      breaks: 'supported',
      tamper: tampers.answer('prompts/list', (message, cause) =>
        cause.params !== undefined && at(cause, 'params', 'cursor') === undefined ? refused(message.id) : message,
      ),
    },
    {
      named: 'is declared, but unknown',
      breaks: 'supported',
      tamper: tampers.answer('prompts/list', ({ id }) => refused(id, -32601)),
    },
    { named: 'lists a prompt twice', breaks: 'unique', tamper: listing('x', 'y', 'x') },
    {
      named: 'lists a prompt once more on the second page',
      breaks: 'unique',
      tamper: tampers.answer('prompts/list', ({ id }, cause) => ({
        jsonrpc: '2.0',
        id,
        result: {
          prompts: [{ name: 'x' }],
          ...(at(cause, 'params', 'cursor') === undefined ? { nextCursor: '2' } : {}),
        },
      })),
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

const repeated = (names: (Json | undefined)[]): Json[] =>
  [...new Set(names)].filter(
    (name): name is string => typeof name === 'string' && names.indexOf(name) !== names.lastIndexOf(name),
  )

function refused(id: Json | undefined, code = -32602) {
  return { jsonrpc: '2.0', id, error: { code, message: 'no' } }
}

function listing(...names: string[]) {
  return tampers.result('prompts/list', () => ({ prompts: names.map(name => ({ name })) }))
}
