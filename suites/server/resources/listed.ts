import {
  at,
  type Json,
  judge,
  listAll,
  memberFault,
  type Reply,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'resources/list gives a list in which each URI occurs once',
  needs: { capability: 'resources' },
  claims: {
    lists: 'resources.list.supported',
    unique: 'resources.resource.uri-unique',
  },
  async *run(peer) {
    for (const params of [undefined, {}]) {
      const reply = await peer.request('resources/list', params)
      const right = reply.kind === 'result' && Array.isArray(at(reply.result, 'resources'))
      const subject = params === undefined ? 'without params' : 'with empty params'
      yield judge('lists', right, `a list of resources ${subject}`, reply, {
        kind: memberFault(reply, 'resources'),
        subject,
      })
      if (!right) return
    }
    const list = () => listAll(peer, 'resources/list', 'resources')
    const { entries, replies } = await list()
    if (isLoop(replies)) {
      yield unmet('the cursors of resources/list lead back to earlier pages', 'unique')
      return
    }
    let twice = repeated(entries.map(entry => entry.uri))
    // The list may have changed between two pages: what is listed twice the next time, too, is really there twice.
    if (twice.length > 0) {
      const again = repeated((await list()).entries.map(entry => entry.uri))
      twice = twice.filter(uri => again.includes(uri))
    }
    const frames = replies.flatMap(reply => reply.frames)
    if (twice.length === 0)
      yield judge('unique', true, 'each URI once', { text: `${entries.length} resources`, frames })
    for (const uri of twice) {
      const got = { text: `more than once: ${uri}`, frames }
      yield judge('unique', false, 'each URI once', got, { kind: 'duplicate', subject: uri })
    }
  },
  defects: [
    {
      named: 'declared, but not implemented',
      breaks: 'lists',
      kind: 'refused',
      tamper: tampers.refuse('resources/list', -32601, 'Method not found'),
    },
    {
      named: 'null for an empty list',
      breaks: 'lists',
      kind: 'wrong-type',
      tamper: tampers.result('resources/list', () => ({ resources: null })),
    },
    {
      named: 'an object by URI',
      breaks: 'lists',
      kind: 'wrong-type',
      tamper: tampers.result('resources/list', () => ({ resources: { 'test://x': { name: 'x' } } })),
    },
    {
      named: 'wants params',
      breaks: 'lists',
      kind: 'silent',
      replace: { drops: ({ method, params }) => method === 'resources/list' && params === undefined },
    },
    {
      named: 'one resource twice',
      breaks: 'unique',
      kind: 'duplicate',
      tamper: tampers.result('resources/list', result => ({
        ...result,
        resources: [...resourcesOf(result), ...resourcesOf(result).slice(0, 1)],
      })),
    },
    {
      named: 'one resource on two pages',
      breaks: 'unique',
      kind: 'duplicate',
      replace: {
        page: (entries, cursor) =>
          cursor === undefined ? { entries: entries.slice(0, 2), nextCursor: '2' } : { entries: entries.slice(1) },
      },
    },
  ],
  variants: [
    { named: 'templates only', shows: ['lists'], tamper: tampers.result('resources/list', () => ({ resources: [] })) },
    {
      named: 'an empty cursor, which stands for none',
      replace: { page: (entries, cursor) => ({ entries, ...(cursor === undefined ? { nextCursor: '' } : {}) }) },
    },
    {
      named: 'URIs that differ in case',
      shows: ['unique'],
      tamper: tampers.result('resources/list', () => ({
        resources: ['test://a', 'test://A'].map(uri => ({ uri, name: 'a' })),
      })),
    },
    {
      named: 'the list changes between two pages',
      shows: ['unique'],
      replace: () => {
        let lists = 0
        return {
          page: (entries, cursor) => {
            if (cursor !== undefined) return { entries: entries.slice(lists === 3 ? 1 : 2) }
            lists += 1
            return { entries: entries.slice(0, 2), nextCursor: '2' }
          },
        }
      },
    },
  ],
})

/** Whether a cursor led back to where the walk had been, as an empty one may; such a list has everything twice. */
function isLoop(replies: readonly Reply[]): boolean {
  const cursors = replies.map(reply => (reply.kind === 'result' ? textAt(reply.result, 'nextCursor') : undefined))
  return cursors.includes('') || repeated(cursors).length > 0
}

function repeated(values: readonly (Json | undefined)[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const value of values) {
    if (typeof value !== 'string') continue
    if (seen.has(value)) twice.add(value)
    seen.add(value)
  }
  return [...twice]
}

function resourcesOf(result: Json): Json[] {
  const resources = at(result, 'resources')
  return Array.isArray(resources) ? resources : []
}
