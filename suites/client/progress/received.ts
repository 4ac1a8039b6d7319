import {
  at,
  clientScenario,
  isRequestId,
  type JsonObject,
  judge,
  judgeTaken,
  type Reply,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

interface Notes {
  /** the client gave a token, and answers pings */
  control?: Reply
  fractions?: Reply
  bare?: Reply
  many?: Reply
}

const TOOL = 'reports'
const MANY = 200

/** A tool that reports its progress in all ways that are allowed, with a ping behind each of them. */
const REPORTING = script({
  drive: {
    name: 'progress',
    steps: [
      { request: 'tools/list' },
      { request: 'tools/call', params: { name: TOOL, arguments: {} }, progress: true },
      { request: 'tools/list' },
    ],
  },
  setup: () => ({ tools: [{ name: TOOL, description: 'Reports its progress', inputSchema: { type: 'object' } }] }),
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/call', async call => {
      const done = { result: { content: [{ type: 'text', text: 'done' }] } }
      const token = at(call.params, '_meta', 'progressToken')
      if (!isRequestId(token) || notes.control !== undefined) return done
      const tell = (params: JsonObject): Promise<boolean> =>
        call.notify('notifications/progress', { progressToken: token, ...params })
      const ping = (): Promise<Reply> => call.ask('ping', undefined, { withinMs: 2_000 })
      notes.control = await ping()
      await tell({ progress: 0.25, total: 1.5, message: 'A quarter' })
      await tell({ progress: 0.5, total: 1.5, message: 'The half' })
      notes.fractions = await ping()
      if (notes.fractions.kind === 'none') return done
      await tell({ progress: 1 })
      notes.bare = await ping()
      if (notes.bare.kind === 'none') return done
      for (let count = 1; count <= MANY; count += 1) await tell({ progress: 1 + count, total: 1 + MANY })
      notes.many = await ping()
      return done
    })
  },
})

export default clientScenario({
  title: 'The client accepts progress with fractions, without a total, and at any frequency',
  script: REPORTING,
  claims: {
    fractions: 'progress.value.may-be-float',
    bare: 'progress.notify.total-optional',
    often: 'progress.notify.any-frequency',
  },
  *run(seen) {
    const { control, fractions, bare, many } = seen.notes
    const calling = sent(seen, 'tools/call')[0]
    if (calling === undefined || control === undefined) {
      yield unmet(undone(seen, 'call a tool with a progress token'))
      return
    }
    if (control.kind === 'none') {
      yield unmet('the client does not answer our pings while its call is running')
      return
    }
    const wanted = 'an answer to the ping behind it'
    if (fractions !== undefined) yield judge('fractions', fractions.kind !== 'none', wanted, fractions)
    if (bare !== undefined) yield judge('bare', bare.kind !== 'none', wanted, bare)
    if (many === undefined) return
    yield judge('often', many.kind !== 'none', wanted, many)
    const next = sent(seen, 'tools/list')[1]
    if (many.kind !== 'none')
      yield* judgeTaken('often', seen, { step: 1, next, expected: 'the response is taken behind all that' })
  },
  defects: [
    {
      named: 'takes whole numbers only',
      breaks: 'fractions',
      kind: 'died',
      ...ending(({ progress }) => !Number.isInteger(progress)),
    },
    { named: 'divides by the total', breaks: 'bare', kind: 'died', ...ending(({ total }) => total === undefined) },
    { named: 'has enough of it', breaks: 'often', kind: 'died', ...ending(({ progress }) => Number(progress) > 100) },
  ],
})

/** Ends when it is told such a progress. */
function ending(cannot: (params: JsonObject) => boolean) {
  return {
    replace: {
      onProgress(params: JsonObject) {
        if (cannot(params)) throw new Error('this is no progress')
      },
    },
  }
}
