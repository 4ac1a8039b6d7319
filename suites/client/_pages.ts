/** Lists in pages: of odd cursors, of odd sizes, the usual ones, and one that has a single page. */

import {
  type Call,
  type CallAnswer,
  type ClientRun,
  type JsonObject,
  type MessageFrame,
  script,
} from '../../src/suite/client.ts'

interface Page {
  entries: JsonObject[]
  /** of the page behind it */
  next?: string
}

const LONG = 2_000

/** Each page but the last one names a cursor of another form: nothing can be said about what they have in common. */
const ODD_CURSORS = [
  'Seite 2/東京 + 😀 %20&=',
  Buffer.from('{"page":3,"size":2}').toString('base64'),
  '  4  ',
  '{"page":5}',
  '6',
  'x'.repeat(LONG),
]
const USUAL_SIZES = [2, 2, 2]
/** All of them but the last have another page behind them, the empty one, too. */
const ODD_SIZES = [3, 1, 0, 5]

const pagesOf = (
  sizes: readonly number[],
  cursors: readonly string[],
  entry: (number: number) => JsonObject,
): Page[] => {
  let count = 0
  return sizes.map((size, place) => {
    const entries = Array.from({ length: size }, () => {
      count += 1
      return entry(count)
    })
    const next = cursors[place]
    return next === undefined || place === sizes.length - 1 ? { entries } : { entries, next }
  })
}

const usual = (list: string): string[] => [2, 3, 4].map(page => `${list}-page-${page}`)

export const PAGED = {
  'tools/list': pagesOf([...ODD_CURSORS.map(() => 2), 1], ODD_CURSORS, number => ({
    name: `tool_${number}`,
    inputSchema: { type: 'object' },
  })),
  'prompts/list': pagesOf(USUAL_SIZES, usual('prompts'), number => ({ name: `prompt_${number}` })),
  'resources/list': pagesOf(ODD_SIZES, usual('resources'), number => ({
    uri: `file:///resource/${number}`,
    name: `resource_${number}`,
  })),
  'resources/templates/list': pagesOf([1], [], () => ({ uriTemplate: 'file:///any/{path}', name: 'any' })),
} satisfies Record<string, Page[]>

export type PagedList = keyof typeof PAGED

/** One request for a page. */
export interface Asked {
  method: PagedList
  params: JsonObject
  /** the label of its session */
  session: string
  frame: MessageFrame
}

const MEMBERS: Record<PagedList, string> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

const LISTS = Object.keys(PAGED) as PagedList[]

function answer(method: PagedList, { params }: Call): CallAnswer {
  const pages: Page[] = PAGED[method]
  const { cursor } = params
  const place = cursor === undefined ? 0 : pages.findIndex(({ next }) => next === cursor) + 1
  const page = place === 0 && cursor !== undefined ? undefined : pages[place]
  if (page === undefined) return { error: { code: -32602, message: 'this cursor is not ours' } }
  return {
    result: { [MEMBERS[method]]: page.entries, ...(page.next === undefined ? {} : { nextCursor: page.next }) },
  }
}

export const PAGES = script({
  drive: {
    name: 'pages',
    steps: [
      ...LISTS.map(request => ({ request })),
      { reconnect: true as const },
      ...LISTS.map(request => ({ request })),
    ],
  },
  setup: () => ({
    capabilities: { tools: {}, prompts: {}, resources: {} },
    tools: PAGED['tools/list'].flatMap(({ entries }) => entries as { name: string }[]),
  }),
  notes: (): { asked: Asked[] } => ({ asked: [] }),
  play(server, notes) {
    for (const method of LISTS)
      server.on(method, call => {
        notes.asked.push({ method, params: call.params, session: call.conversation.session, frame: call.frame })
        return answer(method, call)
      })
  },
})

type Run = ClientRun<{ asked: Asked[] }>

/** The requests for one list in the session of that number (the first is 1). */
export function askedFor(seen: Run, method: PagedList, session = 1): Asked[] {
  const label = seen.conversations.filter(one => one.initialized)[session - 1]?.session
  return seen.notes.asked.filter(one => one.method === method && one.session === label)
}

export const cursorsOf = (method: PagedList): string[] =>
  (PAGED[method] as Page[]).flatMap(({ next }) => (next === undefined ? [] : [next]))

/** How many pages were fetched one after the other, counted by their cursors. */
export function fetched(seen: Run, method: PagedList): number {
  const asked = askedFor(seen, method)
  if (asked.length === 0) return 0
  const followed = new Set(asked.map(({ params }) => params.cursor))
  const missing = cursorsOf(method).findIndex(cursor => !followed.has(cursor))
  return missing === -1 ? (PAGED[method] as Page[]).length : missing + 1
}
