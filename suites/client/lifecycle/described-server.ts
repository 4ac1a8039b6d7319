import { at, clientScenario, isObject, judge, script, sent, tampers, undone, unmet } from '../../../src/suite/client.ts'

/** An Implementation with every member that it may have. */
const DESCRIBED = {
  name: 'mcp-conformance',
  title: 'Conformance suite',
  version: '0.1.0',
  description: 'Checks whether an implementation keeps to the protocol.',
  icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
  websiteUrl: 'https://example.com/',
}

const DESCRIBING = script({ drive: { name: 'initialize' }, setup: () => ({ serverInfo: DESCRIBED }) })

export default clientScenario({
  title: 'A server may describe itself at length, and what the client says about itself has the right types',
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
    const texts = ['title', 'description', 'websiteUrl'].map(name => at(own, name)).filter(text => text !== undefined)
    const icons = at(own, 'icons')
    const right = texts.every(text => typeof text === 'string') && (icons === undefined || Array.isArray(icons))
    yield judge(
      'types',
      texts.length === 0 && icons === undefined ? 'n/a' : right,
      'title, description and websiteUrl as strings, icons as a list',
      hello.frame,
    )
    // The control is the plain handshake that comes before all scenarios.
    const list = sent(seen, 'tools/list')[0]
    yield judge('accepts', list !== undefined, 'the next request after the handshake', list?.frame ?? hello.frame)
  },
  defects: [
    {
      named: 'refuses members that it does not know',
      breaks: 'accepts',
      replace: {
        notices: message => {
          if (at(message, 'result', 'serverInfo', 'websiteUrl') !== undefined) throw new Error('unknown: websiteUrl')
        },
      },
    },
    ...[{ title: { en: 'Client' } }, { description: 7 }, { websiteUrl: null }, { icons: {} }].map(members => ({
      named: `${Object.keys(members)} of a wrong type`,
      breaks: 'types' as const,
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
