import { at, type HttpReply, judge, serverScenario, unmet } from '../../../src/suite/server.ts'

/** How the names of the fields may be written. */
const CASES: Readonly<Record<string, (name: string) => string>> = {
  'lower case': name => name.toLowerCase(),
  'upper case': name => name.toUpperCase(),
}

export default serverScenario({
  title: 'The names of the mirrored header fields are read in any case',
  needs: { since: '2026-07-28', via: 'http' },
  claims: { names: 'transport-http.header-names-case-insensitive' },
  async *run(peer) {
    const ask = (write: (name: string) => string): Promise<HttpReply> =>
      peer.http({
        method: 'POST',
        body: peer.draft('server/discover'),
        headers: { [write('MCP-Protocol-Version')]: peer.revision, [write('Mcp-Method')]: 'server/discover' },
      })
    if (!hasResult(await ask(name => name))) {
      yield unmet('the control, with the names as the specification writes them, brought no result')
      return
    }
    for (const [subject, write] of Object.entries(CASES)) {
      const answer = await ask(write)
      yield judge('names', hasResult(answer), 'a result', answer, { kind: 'refused', subject: `names in ${subject}` })
    }
  },
  defects: [
    {
      named: 'knows the names in upper case only',
      breaks: 'names',
      kind: 'refused',
      replace: {
        stateless: { header: ({ request: { rawHeaders } }, name) => valueIn(rawHeaders, [name, name.toUpperCase()]) },
      },
    },
    {
      named: 'knows the names in lower case only',
      breaks: 'names',
      kind: 'refused',
      replace: {
        stateless: { header: ({ request: { rawHeaders } }, name) => valueIn(rawHeaders, [name, name.toLowerCase()]) },
      },
    },
  ],
})

const hasResult = (answer: HttpReply): boolean => at(answer.json, 'result') !== undefined || answer.events.length > 0

/** The value of the field, where its name is written in one of these ways. */
function valueIn(raw: readonly string[], names: readonly string[]): string | undefined {
  const place = raw.findIndex((one, index) => index % 2 === 0 && names.includes(one))
  return place < 0 ? undefined : raw[place + 1]
}
