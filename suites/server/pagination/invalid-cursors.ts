import {
  at,
  codes,
  fateOf,
  judge,
  LISTS,
  type Outcome,
  type Reply,
  refusalFault,
  serverScenario,
  stuckBy,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const INVALID = 'x-conformance-invalid'

export default serverScenario({
  title: 'A cursor that the server never gave gets error -32602, and harms nothing',
  claims: {
    code: 'pagination.errors.invalid-cursor-code',
    graceful: 'pagination.server.invalid-cursor-graceful',
  },
  async *run(peer) {
    const offered = LISTS.filter(({ capability }) => peer.capabilities[capability] !== undefined)
    if (offered.length === 0) {
      for (const claim of ['code', 'graceful'] as const)
        yield judge(claim, 'n/a', 'a server with lists', peer.opening ?? [])
    }
    for (const { method } of offered) {
      const control = await peer.request(method)
      if (control.kind !== 'result') {
        yield unmet(`${method} was not answered with a result`)
        continue
      }
      const reply = await peer.request(method, { cursor: INVALID })
      yield judge('code', codeOutcome(reply), `error -32602 to ${method} with an invalid cursor`, reply, {
        kind: refusalFault(reply),
        subject: method,
      })

      // One of its own, with another character in front; what is still a page may be a page that exists.
      const given = textAt(control.result, 'nextCursor') ?? ''
      if (given !== '') {
        const spoilt = await peer.request(method, { cursor: (given.startsWith('A') ? 'B' : 'A') + given.slice(1) })
        const outcome = spoilt.kind === 'result' ? 'n/a' : codeOutcome(spoilt)
        yield judge('code', outcome, `error -32602 to ${method} with a spoilt cursor`, spoilt, {
          kind: refusalFault(spoilt),
          subject: method,
        })
      }
      const mistyped = await peer.request(method, { cursor: 7 }, { intended: 'fault' })

      const probe = await peer.settle()
      const silent = [reply, mistyped].find(one => one.kind === 'none')
      const got = probe.alive ? (silent ?? probe) : await fateOf(peer, probe)
      const survived = probe.alive && silent === undefined
      yield judge('graceful', survived, `an answer to ${method} with an invalid cursor, and to the next ping`, got, {
        subject: method,
      })
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'the first page for any cursor',
      breaks: 'code',
      kind: 'accepted',
      replace: { page: entries => ({ entries }) },
    },
    {
      named: 'an empty page for any cursor',
      breaks: 'code',
      kind: 'accepted',
      replace: { page: (entries, cursor) => ({ entries: cursor === undefined ? entries : [] }) },
    },
    {
      named: 'an internal error',
      breaks: 'code',
      kind: 'wrong-code',
      tamper: tampers.error(error => ({ ...error, code: codes.internalError })),
    },
    { named: 'an internal error at a spoilt cursor', breaks: 'code', kind: 'wrong-code', replace: trusting },
    {
      named: 'never answers',
      breaks: 'graceful',
      kind: 'silent',
      also: ['code'],
      replace: { drops: message => at(message, 'params', 'cursor') === INVALID },
    },
    {
      named: 'an invalid cursor ends the conversation',
      breaks: 'graceful',
      kind: 'stuck',
      also: ['code'],
      replace: stuckBy(text => text.includes(INVALID)),
    },
    {
      named: 'a number as cursor ends the conversation',
      breaks: 'graceful',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('"cursor":7')),
    },
  ],
  variants: [
    { named: 'pages of two', shows: ['code', 'graceful'], replace: ({ pagesOf }) => ({ page: pagesOf(2) }) },
    { named: 'no lists', replace: { capabilities: {} } },
    {
      named: 'page numbers as cursors',
      shows: ['code', 'graceful'],
      replace: {
        page: (entries, cursor) =>
          cursor === undefined
            ? { entries: entries.slice(0, 1), nextCursor: '1' }
            : cursor === '1'
              ? { entries: entries.slice(1) }
              : undefined,
      },
    },
  ],
})

/** Who has no pages often does not look at cursors: common, and not what the page asks for. */
function codeOutcome(reply: Reply): Outcome {
  return reply.kind === 'error' && reply.code === codes.invalidParams ? 'holds' : 'breaks'
}

/** Checks the cursor where it is foreign through and through, and trusts one that looks like its own. */
function trusting() {
  return {
    page: <T>(entries: readonly T[], cursor: unknown) => {
      if (cursor === undefined) return { entries: entries.slice(0, 1), nextCursor: 'place-1' }
      if (cursor === INVALID || typeof cursor !== 'string') return undefined
      if (cursor !== 'place-1') throw new Error('no such place')
      return { entries: entries.slice(1) }
    },
  }
}
