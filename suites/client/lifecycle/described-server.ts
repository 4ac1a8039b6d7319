import {
  at,
  clientScenario,
  endKind,
  fateOfClient,
  isObject,
  judge,
  script,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** An Implementation with every member that it may have. */
const DESCRIBED = {
  name: 'mcp-conformance',
  title: 'Conformance suite',
  version: '0.1.0',
  description: 'Checks whether an implementation keeps to the protocol.',
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  websiteUrl: 'https://example.com/',
}

const isText = (value: unknown): boolean => typeof value === 'string'
/** The optional members, and what they have to be. */
const TYPES: Record<string, (value: unknown) => boolean> = {
  title: isText,
  description: isText,
  websiteUrl: isText,
  icons: Array.isArray,
}

const DESCRIBING = script({ drive: { name: 'initialize' }, setup: () => ({ serverInfo: DESCRIBED }) })

export default clientScenario({
  title: 'The client accepts all optional members of serverInfo, and those of its clientInfo have the right types',
  script: DESCRIBING,
  claims: {
    accepts: 'lifecycle.init.implementation-optional-members',
    types: 'lifecycle.init.implementation-optional-members',
  },
  *run(seen) {
    const [hello] = sent(seen, 'initialize')
    if (hello === undefined) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    const own = at(hello.params, 'clientInfo')
    const present = Object.entries(TYPES).filter(([name]) => at(own, name) !== undefined)
    const expected = 'title, description and websiteUrl as strings, icons as a list'
    if (present.length === 0) yield judge('types', 'n/a', expected, hello.frame)
    for (const [name, fits] of present) {
      const subject = `params.clientInfo.${name}`
      yield judge('types', fits(at(own, name)), expected, hello.frame, { kind: 'wrong-type', subject })
    }
    // The control is the plain handshake that comes before all scenarios.
    const list = sent(seen, 'tools/list')[0]
    yield judge(
      'accepts',
      list !== undefined,
      'the next request after the handshake',
      list?.frame ?? fateOfClient(seen),
      endKind(seen),
    )
  },
  defects: [
    {
      named: 'refuses members that it does not know',
      breaks: 'accepts',
      kind: 'died',
      replace: {
        notices: message => {
          if (at(message, 'result', 'serverInfo', 'websiteUrl') !== undefined) throw new Error('unknown: websiteUrl')
        },
      },
    },
    ...[{ title: { en: 'Client' } }, { description: 7 }, { websiteUrl: null }, { icons: {} }].map(members => ({
      named: `${Object.keys(members)} of a wrong type`,
      breaks: 'types' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.message(message =>
        message.method === 'initialize' && isObject(message.params) && isObject(message.params.clientInfo)
          ? { ...message, params: { ...message.params, clientInfo: { ...message.params.clientInfo, ...members } } }
          : message,
      ),
    })),
  ],
  variants: [
    { named: 'says no more than its name', replace: { clientInfo: () => ({ name: 'plain', version: '1' }) } },
    { named: 'describes itself at length', shows: ['types'], replace: { clientInfo: () => DESCRIBED } },
  ],
})
