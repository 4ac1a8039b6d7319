import {
  at,
  type Frame,
  type Json,
  judge,
  type Kind,
  LISTS,
  type List,
  memberFault,
  type Outcome,
  refusal,
  type ServerPeer,
  serverScenario,
  unmet,
} from '../../../src/suite/server.ts'

/** More than any list needs; and so many pages in a row bring nothing new before we stop asking. */
const MAX_PAGES = 1_000
const MAX_STALLED = 20
/** Evidence of an endless walk is its end. */
const SHOWN_PAGES = 3

export default serverScenario({
  title: 'Every list comes to a last page, which has no nextCursor',
  claims: { ends: 'pagination.response.next-cursor-when-more' },
  async *run(peer) {
    const offered = LISTS.filter(({ capability }) => peer.capabilities[capability] !== undefined)
    if (offered.length === 0) yield judge('ends', 'n/a', 'a server with lists', peer.opening ?? [])
    for (const list of offered) {
      const { outcome, text, frames, ...fault } = await walk(peer, list)
      if (outcome === undefined) yield unmet(text)
      else
        yield judge(
          'ends',
          outcome,
          `a last page of ${list.method}`,
          { text, frames },
          { ...fault, subject: list.method },
        )
    }
  },
  defects: [
    {
      named: 'the last page names itself as the next one',
      breaks: 'ends',
      kind: 'duplicate',
      replace: {
        page: (entries, cursor) => ({ entries: entries.slice(cursor === undefined ? 0 : 2, 4), nextCursor: 'last' }),
      },
    },
    {
      named: 'an empty cursor on every page',
      breaks: 'ends',
      kind: 'duplicate',
      replace: { page: entries => ({ entries, nextCursor: '' }) },
    },
    {
      named: 'two pages that lead to each other',
      breaks: 'ends',
      kind: 'duplicate',
      replace: {
        page: (entries, cursor) =>
          cursor === 'b'
            ? { entries: entries.slice(2, 4), nextCursor: 'a' }
            : { entries: entries.slice(0, 2), nextCursor: 'b' },
      },
    },
    {
      named: 'empty pages for ever',
      breaks: 'ends',
      kind: 'missing',
      verdict: 'warn',
      replace: {
        page: (entries, cursor) => ({ entries: cursor === undefined ? entries : [], nextCursor: `${cursor ?? ''}x` }),
      },
    },
    { named: 'new entries for ever', breaks: 'ends', kind: 'missing', verdict: 'warn', replace: endless },
    {
      named: 'does not know its own cursor',
      breaks: 'ends',
      kind: 'refused',
      replace: {
        page: (entries, cursor) =>
          cursor === undefined ? { entries: entries.slice(0, 1), nextCursor: 'next' } : undefined,
      },
    },
    {
      named: 'never answers a request with a cursor',
      breaks: 'ends',
      kind: 'silent',
      replace: ({ pagesOf }) => ({
        page: pagesOf(2),
        drops: message => at(message, 'params', 'cursor') !== undefined,
      }),
    },
  ],
  variants: [
    { named: 'pages of two', shows: ['ends'], replace: ({ pagesOf }) => ({ page: pagesOf(2) }) },
    { named: 'pages of one', shows: ['ends'], replace: ({ pagesOf }) => ({ page: pagesOf(1) }) },
    {
      named: 'an empty page in the middle, and one at the end',
      shows: ['ends'],
      replace: {
        page(entries, cursor) {
          const next = Number(cursor ?? 0) + 1
          const page = next % 2 === 1 ? entries.slice(next - 1, next + 1) : []
          return { entries: page, ...(next > entries.length ? {} : { nextCursor: String(next) }) }
        },
      },
    },
    { named: 'one cursor, behind which the server remembers the place', shows: ['ends'], replace: remembering },
    { named: 'no lists', replace: { capabilities: {} } },
    {
      named: 'no templates',
      shows: ['ends'],
      tamper: out =>
        out.layer === 'message' && out.cause?.method === 'resources/templates/list'
          ? [{ ...out, message: refusal(-32601, 'no')(out.cause) }]
          : [out],
    },
  ],
})

/** Follows the cursors of one list; without an outcome where there is no first page. */
async function walk(
  peer: ServerPeer,
  { method, member, key }: List,
): Promise<{ outcome?: Outcome; kind?: Kind; text: string; frames: Frame[] }> {
  const pages = new Set<string>()
  const entries = new Set<Json | undefined>()
  let frames: Frame[][] = []
  let cursor: string | undefined
  let stalled = 0
  for (let count = 1; count <= MAX_PAGES && stalled <= MAX_STALLED; count += 1) {
    const reply = await peer.request(method, cursor === undefined ? undefined : { cursor })
    frames = [...frames, reply.frames].slice(-SHOWN_PAGES)
    const said = (outcome: Outcome, text: string, kind?: Kind) => ({
      outcome,
      ...(kind === undefined ? {} : { kind }),
      text,
      frames: frames.flat(),
    })
    if (reply.kind !== 'result') {
      if (cursor === undefined) return { text: `${method} was not answered with a result`, frames: frames.flat() }
      // Many take an empty cursor for none; who sent it is told so elsewhere.
      const refused = `no page for the cursor ${JSON.stringify(cursor)} that the server gave`
      return said(cursor === '' && reply.kind === 'error' ? 'bends' : 'breaks', refused, memberFault(reply))
    }
    const page = at(reply.result, member)
    const keys = Array.isArray(page) ? page.map(entry => at(entry, key)) : []
    const next = at(reply.result, 'nextCursor')
    if (typeof next !== 'string') return said('holds', `${count} pages`)
    const same = JSON.stringify([next, keys])
    if (pages.has(same))
      return said('breaks', `page ${count} repeats an earlier one, its nextCursor included`, 'duplicate')
    pages.add(same)
    const known = entries.size
    for (const one of keys) entries.add(one)
    stalled = entries.size === known ? stalled + 1 : 0
    cursor = next
  }
  const text = stalled > MAX_STALLED ? `${stalled} pages in a row with nothing new` : `no end after ${MAX_PAGES} pages`
  return { outcome: 'bends', kind: 'missing', text, frames: frames.flat() }
}

/** A page for each number that there is. */
function endless() {
  return {
    page: (entries: readonly object[], cursor: Json | undefined) => {
      const next = String(Number(cursor ?? 0) + 1)
      return {
        entries: entries.slice(0, 1).map(one => ({ ...one, name: next, uri: `test://${next}`, uriTemplate: next })),
        nextCursor: next,
      }
    },
  }
}

function remembering() {
  let place = 0
  return {
    page: <T>(entries: readonly T[], cursor: Json | undefined) => {
      place = cursor === undefined ? 0 : place + 2
      const more = place + 2 < entries.length
      return { entries: entries.slice(place, place + 2), ...(more ? { nextCursor: 'more' } : {}) }
    },
  }
}
