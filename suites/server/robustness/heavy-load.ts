import { at, fateOf, judge, type Reply, serverScenario, stuckBy, tampers, unmet } from '../../../src/suite/server.ts'

/** Above the line buffers of 64 KiB, above the usual 256 KiB, and above what servers usually limit bodies to. */
const LENGTHS = [70_000, 300_000, 4_000_000]
const MANY = 100

export default serverScenario({
  title: 'Long messages and many requests at once are answered or refused, and the next ping is answered',
  session: 'own',
  exclusive: true,
  claims: {
    long: 'robustness.input.long-message',
    many: 'robustness.input.many-requests',
  },
  async *run(peer) {
    const padded = (length: number) => ({ _meta: { 'com.example/padding': 'x'.repeat(length) } })
    let current = peer
    const control = await current.request('ping', padded(100))
    if (control.kind === 'none') {
      yield unmet('a ping with 100 characters of padding is not answered to begin with')
      return
    }
    for (const length of LENGTHS) {
      const probe = await current.raw(current.draft('ping', padded(length)))
      const expected = `an answer to the ping behind one with ${length} characters of padding`
      yield judge('long', probe.alive, expected, await fateOf(current, probe), { subject: `${length} characters` })
      if (probe.alive) continue
      current = await peer.another({})
      break
    }
    const single = await current.request('ping')
    if (single.kind === 'none') {
      yield unmet('a single ping is not answered')
      return
    }
    const pending = Array.from({ length: MANY }, () => current.request('ping'))
    const replies = await Promise.all(pending)
    const missing = replies.filter(reply => reply.kind === 'none')
    const refused = replies.filter(isRefused)
    const answered = replies.length - missing.length - refused.length
    yield judge(
      'many',
      missing.length > 0 ? 'breaks' : refused.length > 0 ? 'bends' : 'holds',
      `an answer to each of ${MANY} pings`,
      {
        text: `${answered} answers, ${refused.length} refusals by HTTP status, ${missing.length} without answer`,
        frames: [...missing, ...refused, ...replies].slice(0, 3).flatMap(reply => reply.frames),
      },
      missing.length > 0 ? 'silent' : 'refused',
    )
  },
  defects: [
    { named: 'reads lines of 64 KiB at most', breaks: 'long', kind: 'stuck', program: 'short-lines' },
    {
      named: 'stops at 300,000 characters',
      breaks: 'long',
      kind: 'stuck',
      replace: stuckBy(text => text.length > 300_000),
    },
    {
      named: 'forgets requests beyond the fiftieth',
      breaks: 'many',
      kind: 'silent',
      replace: () => ({ drops: afterFifty() }),
    },
  ],
  variants: [
    {
      named: 'refuses more than 200,000 characters',
      replace: { parse: text => (text.length > 200_000 ? undefined : JSON.parse(text)) },
    },
    {
      named: 'a rate limit',
      via: 'http',
      bends: ['many'],
      tamper: tampers.http((_answer, { message }) =>
        Number(at(message, 'id')) > 50 ? { status: 429, headers: { 'Content-Type': 'text/plain' } } : undefined,
      ),
    },
  ],
})

const isRefused = (reply: Reply): boolean => reply.kind === 'http-error'

function afterFifty(): (message: { method?: unknown }) => boolean {
  let pings = 0
  return message => {
    if (message.method === 'initialize') pings = 0
    if (message.method === 'ping') pings += 1
    return pings > 50
  }
}
