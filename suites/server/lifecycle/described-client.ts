import { at, isObject, judge, refusal, serverScenario, tampers } from '../../../src/suite/server.ts'

/** An Implementation with every member that it may have. */
const DESCRIBED = {
  name: 'mcp-conformance',
  title: 'Conformance suite',
  version: '0.1.0',
  description: 'Checks whether an implementation keeps to the protocol.',
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  websiteUrl: 'https://example.com/',
}

export default serverScenario({
  title: 'A client may describe itself at length, and what the server says about itself has the right types',
  claims: {
    accepts: 'lifecycle.init.implementation-optional-members',
    types: 'lifecycle.init.implementation-optional-members',
  },
  async *run(peer) {
    const { opening } = peer
    if (opening?.kind !== 'result') return
    const own = at(opening.result, 'serverInfo')
    const expected = 'title, description and websiteUrl as strings, icons as a list'
    const given = ['title', 'description', 'websiteUrl', 'icons'].filter(name => at(own, name) !== undefined)
    if (given.length === 0) yield judge('types', 'n/a', expected, opening)
    for (const name of given) {
      const value = at(own, name)
      const right = name === 'icons' ? Array.isArray(value) : typeof value === 'string'
      yield judge('types', right, expected, opening, { kind: 'wrong-type', subject: `serverInfo.${name}` })
    }
    // The control is the shared session itself: the same handshake with name and version only.
    const described = await peer.another({ clientInfo: DESCRIBED })
    if (described.opening === undefined) return
    yield judge('accepts', described.opening.kind === 'result', 'a normal handshake', described.opening)
    if (described.opening.kind !== 'result') return
    const ping = await described.request('ping')
    yield judge('accepts', ping.kind !== 'none', 'an answer to ping', ping)
  },
  defects: [
    {
      named: 'refuses members that it does not know',
      breaks: 'accepts',
      kind: 'refused',
      tamper: tampers.answer('initialize', (message, cause) =>
        at(cause, 'params', 'clientInfo', 'websiteUrl') === undefined
          ? message
          : refusal(-32602, 'unrecognized key: websiteUrl')(message),
      ),
    },
    ...[{ title: { en: 'Reference' } }, { description: 7 }, { websiteUrl: null }, { icons: {} }].map(members => ({
      named: `${Object.keys(members)} of a wrong type`,
      breaks: 'types' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.result('initialize', result => ({
        ...result,
        serverInfo: { ...(isObject(result.serverInfo) ? result.serverInfo : {}), ...members },
      })),
    })),
  ],
  variants: [
    { named: 'says no more than its name', replace: { serverInfo: { name: 'plain', version: '1' } } },
    { named: 'describes itself at length', shows: ['types'], replace: { serverInfo: DESCRIBED } },
  ],
})
