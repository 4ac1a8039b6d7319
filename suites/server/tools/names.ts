import { at, judge, listAll, serverScenario, success, type Tamper, tampers, unmet } from '../../../src/suite/server.ts'

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
      const subject = name.slice(0, LONGEST)
      const got = { text: `the name ${JSON.stringify(subject)}`, frames }
      const length = [...name].length
      yield judge(
        'length',
        length >= 1 && length <= LONGEST,
        `a name of 1 to ${LONGEST} characters`,
        {
          ...got,
          text: `${got.text} of ${length} characters`,
        },
        { subject },
      )
      for (const claim of ['characters', 'special'] as const)
        yield judge(claim, ALLOWED.test(name), 'only A-Z, a-z, 0-9, underscore, hyphen and dot', got, { subject })
      for (const claim of ['unique', 'identifies'] as const)
        yield judge(claim, !seen.has(name), 'a name that only one tool has', got, { kind: 'duplicate', subject })
      seen.add(name)
    }
  },
  defects: [
    { named: 'an empty name', breaks: 'length', kind: 'wrong-value', tamper: withNames('') },
    { named: 'a name of 129 characters', breaks: 'length', kind: 'wrong-value', tamper: withNames('x'.repeat(129)) },
    { named: 'a slash', breaks: 'characters', kind: 'wrong-value', also: ['special'], tamper: withNames('files/read') },
    {
      named: 'a letter beyond ASCII',
      breaks: 'characters',
      kind: 'wrong-value',
      also: ['special'],
      tamper: withNames('prüfen'),
    },
    { named: 'spaces', breaks: 'special', kind: 'wrong-value', also: ['characters'], tamper: withNames('read file') },
    { named: 'a comma', breaks: 'special', kind: 'wrong-value', also: ['characters'], tamper: withNames('a,b') },
    { named: 'a line end', breaks: 'special', kind: 'wrong-value', also: ['characters'], tamper: withNames('a\n') },
    {
      named: 'the same name twice',
      breaks: 'unique',
      kind: 'duplicate',
      also: ['identifies'],
      tamper: withNames('test_x', 'test_x'),
    },
    {
      named: 'a name of the first page again on the second',
      breaks: 'identifies',
      kind: 'duplicate',
      also: ['unique'],
      tamper: tampers.answer('tools/list', (message, { params }) =>
        success({
          tools: [{ name: 'test_x', inputSchema: { type: 'object' } }],
          ...(at(params, 'cursor') === undefined ? { nextCursor: 'next' } : {}),
        })(message),
      ),
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
