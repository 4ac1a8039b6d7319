import { at, isObject, type JsonObject, judge, monitor, type Revision, theirMessages } from '../../src/suite.ts'

/** The capabilities of a server, with the revision that knows them first; others are nobody's business. */
const KNOWN: Record<string, Revision> = {
  experimental: '2024-11-05',
  logging: '2024-11-05',
  prompts: '2024-11-05',
  resources: '2024-11-05',
  tools: '2024-11-05',
  completions: '2025-03-26',
  tasks: '2025-11-25',
}

/** The answer to initialize. */
export default monitor({
  title: 'Declared capabilities are objects, and their switches are booleans',
  claims: { types: 'lifecycle.capabilities.value-types' },
  start: context => context,
  *see(context, frame) {
    for (const message of theirMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (!isObject(declared) || at(message, 'result', 'protocolVersion') === undefined) continue
      const wrong = misshapen(declared, context.revision())
      yield judge('types', wrong.length === 0, 'capabilities that are objects, with booleans as switches', {
        text: wrong.length === 0 ? `the capabilities ${Object.keys(declared).join(', ')}` : wrong.join(', '),
        frames: [frame],
      })
    }
  },
  defects: [
    ...[
      { tools: true },
      { logging: null },
      { tools: { listChanged: 'yes' } },
      { resources: { subscribe: {} } },
      { experimental: { 'com.example/x': true } },
      { tasks: [] },
    ].map(capabilities => ({
      named: `declares ${JSON.stringify(capabilities)}`,
      on: 'server/ping/answers',
      breaks: 'types' as const,
      replace: { capabilities },
    })),
  ],
  variants: [
    {
      named: 'declares what it invented',
      on: 'server/ping/answers',
      shows: ['types'],
      replace: { capabilities: { 'x-own': true, tools: { 'x-own': 1 }, experimental: {} } },
    },
  ],
})

function misshapen(declared: JsonObject, revision: Revision): string[] {
  return Object.entries(declared).flatMap(([name, value]) => {
    const since = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
    if (since === undefined || revision < since) return []
    if (!isObject(value)) return [`${name}: ${JSON.stringify(value)}`]
    const inner = Object.entries(value).filter(([member, setting]) =>
      name === 'experimental' ? !isObject(setting) : isSwitch(name, member) && typeof setting !== 'boolean',
    )
    return inner.map(([member, setting]) => `${name}.${member}: ${JSON.stringify(setting)}`)
  })
}

const isSwitch = (capability: string, member: string): boolean =>
  (member === 'listChanged' && ['prompts', 'resources', 'tools'].includes(capability)) ||
  (member === 'subscribe' && capability === 'resources')
