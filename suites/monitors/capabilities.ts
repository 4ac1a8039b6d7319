import {
  at,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Revision,
  theirMessages,
} from '../../src/suite/monitor.ts'

/** The capabilities of each side, with the revision that knows them first; others are not judged. */
const KNOWN: Record<Side, Record<string, Revision>> = {
  server: {
    experimental: '2024-11-05',
    logging: '2024-11-05',
    prompts: '2024-11-05',
    resources: '2024-11-05',
    tools: '2024-11-05',
    completions: '2025-03-26',
    tasks: '2025-11-25',
  },
  client: {
    experimental: '2024-11-05',
    roots: '2024-11-05',
    sampling: '2024-11-05',
    elicitation: '2025-06-18',
    tasks: '2025-11-25',
  },
}

type Side = 'server' | 'client'

const EXPECTED = 'capabilities that are objects, with booleans as switches'

/** Either initialize, or the answer to it. */
export default monitor({
  title: 'Declared capabilities are objects, and their switches are booleans',
  sides: ['server', 'client'],
  claims: { types: 'lifecycle.capabilities.value-types' },
  start: context => context,
  *see(context, frame) {
    for (const message of theirMessages(frame)) {
      const introduction = context.role === 'server' ? at(message, 'result') : at(message, 'params')
      const declared = at(introduction, 'capabilities')
      if (!isObject(declared) || at(introduction, 'protocolVersion') === undefined) continue
      const wrong = misshapen(declared, KNOWN[context.role], context.revision())
      for (const [subject, value] of wrong) {
        const got = { text: `${subject}: ${JSON.stringify(value)}`, frames: [frame] }
        yield judge('types', false, EXPECTED, got, { kind: 'wrong-type', subject })
      }
      const text = `the capabilities ${Object.keys(declared).join(', ')}`
      if (wrong.length === 0) yield judge('types', true, EXPECTED, { text, frames: [frame] })
    }
  },
  defects: [
    ...[
      { roots: true },
      { sampling: null },
      { roots: { listChanged: 'yes' } },
      { experimental: { 'com.example/x': true } },
      { tasks: [] },
    ].map(capabilities => ({
      named: `a client that declares ${JSON.stringify(capabilities)}`,
      on: 'client/lifecycle/opens',
      breaks: 'types' as const,
      kind: 'wrong-type' as const,
      replace: { capabilities: () => capabilities },
    })),
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
      kind: 'wrong-type' as const,
      replace: { capabilities },
    })),
  ],
  variants: [
    {
      named: 'a client that declares what it invented',
      on: 'client/lifecycle/opens',
      shows: ['types'],
      replace: { capabilities: () => ({ 'x-own': true, sampling: { 'x-own': 1 }, experimental: {} }) },
    },
    {
      named: 'an old client with a switch where later a capability was',
      on: 'client/lifecycle/opens',
      spec: '2025-03-26',
      shows: ['types'],
      replace: { capabilities: () => ({ elicitation: true, roots: {} }) },
    },
    {
      named: 'declares what it invented',
      on: 'server/ping/answers',
      shows: ['types'],
      replace: { capabilities: { 'x-own': true, tools: { 'x-own': 1 }, experimental: {} } },
    },
  ],
})

/** The places that have another type than they should, with what is there. */
function misshapen(
  declared: JsonObject,
  known: Record<string, Revision>,
  revision: Revision,
): [string, Json | undefined][] {
  return Object.entries(declared).flatMap(([name, value]): [string, Json | undefined][] => {
    const since = Object.hasOwn(known, name) ? known[name] : undefined
    if (since === undefined || revision < since) return []
    if (!isObject(value)) return [[name, value]]
    const inner = Object.entries(value).filter(([member, setting]) =>
      name === 'experimental' ? !isObject(setting) : isSwitch(name, member) && typeof setting !== 'boolean',
    )
    return inner.map(([member, setting]) => [`${name}.${member}`, setting])
  })
}

const isSwitch = (capability: string, member: string): boolean =>
  (member === 'listChanged' && ['prompts', 'resources', 'tools', 'roots'].includes(capability)) ||
  (member === 'subscribe' && capability === 'resources')
