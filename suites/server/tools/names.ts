import { at, judge, listAll, serverScenario, type Tamper, tampers, unmet } from '../../../src/suite/server.ts'

const LONGEST = 128
const ALLOWED = /^[A-Za-z0-9_.-]*$/

export default serverScenario({
  title: 'Tool names are unique, of moderate length, and made of letters, digits, underscores, hyphens and dots',
  needs: { capability: 'tools' },
  claims: {
    length: 'tools.name.length',
    characters: 'tools.name.allowed-characters',
    special: 'tools.name.no-special-characters',
    unique: 'tools.name.unique',
    identifies: 'tools.tool.name-identifies',
  },
  async *run(peer) {
    const { entries, replies } = await listAll(peer, 'tools/list', 'tools')
    const frames = replies.flatMap(reply => reply.frames)
    const names = entries.map(tool => tool.name).filter(name => typeof name === 'string')
    if (names.length === 0) {
      yield unmet('no tool is listed')
      return
    }
    const seen = new Set<string>()
    for (const name of names) {
      const got = { text: `the name ${JSON.stringify(name.slice(0, LONGEST))}`, frames }
      const length = [...name].length
      yield judge('length', length >= 1 && length <= LONGEST, `a name of 1 to ${LONGEST} characters`, {
        ...got,
        text: `${got.text} of ${length} characters`,
      })
      for (const claim of ['characters', 'special'] as const)
        yield judge(claim, ALLOWED.test(name), 'only A-Z, a-z, 0-9, underscore, hyphen and dot', got)
      for (const claim of ['unique', 'identifies'] as const)
        yield judge(claim, !seen.has(name), 'a name that only one tool has', got)
      seen.add(name)
    }
  },
  defects: [
    { named: 'an empty name', breaks: 'length', tamper: withNames('') },
    { named: 'a name of 129 characters', breaks: 'length', tamper: withNames('x'.repeat(129)) },
    { named: 'a slash', breaks: 'characters', also: ['special'], tamper: withNames('files/read') },
    { named: 'a letter beyond ASCII', breaks: 'characters', also: ['special'], tamper: withNames('prüfen') },
    { named: 'spaces', breaks: 'special', also: ['characters'], tamper: withNames('read file') },
    { named: 'a comma', breaks: 'special', also: ['characters'], tamper: withNames('a,b') },
    { named: 'a line end', breaks: 'special', also: ['characters'], tamper: withNames('a\n') },
    { named: 'the same name twice', breaks: 'unique', also: ['identifies'], tamper: withNames('test_x', 'test_x') },
    {
      named: 'a name of the first page again on the second',
      breaks: 'identifies',
      also: ['unique'],
      tamper: tampers.answer('tools/list', ({ id }, { params }) => ({
        jsonrpc: '2.0',
        id,
        result: {
          tools: [{ name: 'test_x', inputSchema: { type: 'object' } }],
          ...(at(params, 'cursor') === undefined ? { nextCursor: 'next' } : {}),
        },
      })),
    },
  ],
  variants: [
    {
      named: 'all that is allowed',
      shows: ['length', 'characters'],
      tamper: withNames('x', 'X', 'a.b-C_9', 'y'.repeat(128)),
    },
    { named: 'an empty list', tamper: withNames() },
  ],
})

function withNames(...names: string[]): Tamper {
  return tampers.result('tools/list', () => ({
    tools: names.map(name => ({ name, inputSchema: { type: 'object' } })),
  }))
}
