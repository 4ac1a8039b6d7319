import {
  at,
  type Json,
  judge,
  LISTS,
  type List,
  type Outcome,
  type Reply,
  serverScenario,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'A cursor leads to the same page each time it is used in a session',
  claims: { stable: 'pagination.server.stable-cursors' },
  async *run(peer) {
    const offered = LISTS.filter(({ capability }) => peer.capabilities[capability] !== undefined)
    if (offered.length === 0) yield judge('stable', 'n/a', 'a server with lists', peer.opening ?? [])
    for (const list of offered) {
      const { method } = list
      const first = await peer.request(method)
      if (first.kind !== 'result') {
        yield unmet(`${method} was not answered with a result`)
        continue
      }
      const cursor = textAt(first.result, 'nextCursor') ?? ''
      if (cursor === '') {
        yield judge('stable', 'n/a', `a second page of ${method}`, first)
        continue
      }
      const once = await peer.request(method, { cursor })
      const twice = await peer.request(method, { cursor })
      const same = once.kind === 'result' && keysOf(once, list) === keysOf(twice, list)
      // A list that changes meanwhile has other pages; that a cursor is refused at all is judged as an end that is none.
      const excused =
        once.kind !== 'result' || (!same && keysOf(first, list) !== keysOf(await peer.request(method), list))
      const outcome: Outcome = same ? 'holds' : excused ? 'n/a' : 'breaks'
      yield judge('stable', outcome, `the same page of ${method} for the same cursor`, twice, { subject: method })
    }
  },
  defects: [
    { named: 'a cursor can be used once', breaks: 'stable', kind: 'refused', replace: usedOnce },
    {
      named: 'a cursor means the next page, whichever that is',
      breaks: 'stable',
      kind: 'wrong-value',
      replace: moving,
    },
    { named: 'another order each time', breaks: 'stable', kind: 'wrong-value', replace: turning },
  ],
  variants: [
    { named: 'pages of two', shows: ['stable'], replace: ({ pagesOf }) => ({ page: pagesOf(2) }) },
    { named: 'a list that changes all the time', replace: changing },
    { named: 'no lists', replace: { capabilities: {} } },
  ],
})

const keysOf = (reply: Reply, { member, key }: List): string | undefined => {
  const page = reply.kind === 'result' ? at(reply.result, member) : undefined
  return Array.isArray(page) ? JSON.stringify(page.map(entry => at(entry, key) ?? null)) : undefined
}

function usedOnce() {
  let used = false
  return {
    page: <T>(entries: readonly T[], cursor: Json | undefined) => {
      if (cursor === undefined) return { entries: entries.slice(0, 1), nextCursor: 'next' }
      used = !used
      return used ? { entries: entries.slice(1) } : undefined
    },
  }
}

function moving() {
  let place = 0
  return {
    page: <T>(entries: readonly T[], cursor: Json | undefined) => {
      place = cursor === undefined ? 0 : place + 1
      return { entries: entries.slice(place, place + 1), nextCursor: 'next' }
    },
  }
}

function turning() {
  let turned = false
  return {
    page: <T>(entries: readonly T[], cursor: Json | undefined) => {
      if (cursor === undefined) return { entries: entries.slice(0, 1), nextCursor: 'next' }
      turned = !turned
      return { entries: turned ? entries.slice(1).reverse() : entries.slice(1) }
    },
  }
}

function changing() {
  let lists = 0
  return {
    page: <T>(entries: readonly T[], cursor: Json | undefined) => {
      lists += 1
      const present = entries.slice(lists % 2)
      return cursor === undefined ? { entries: present.slice(0, 1), nextCursor: 'next' } : { entries: present.slice(1) }
    },
  }
}
