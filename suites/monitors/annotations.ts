import {
  at,
  type Frame,
  followResults,
  isTimestamp,
  type Json,
  judge,
  lacks,
  monitor,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

const CLAIMS = {
  audience: 'resources.annotations.audience',
  priority: 'resources.annotations.priority',
  modified: 'resources.annotations.last-modified',
} as const
type Claim = keyof typeof CLAIMS

/** Annotations are shown up to this length. */
const SHOWN = 160

/** Hints on resources, on templates, and on the blocks of content in which they are linked or embedded. Those of tools are others. */
export default monitor({
  title: 'Annotations name a known audience, a priority from 0 to 1, and a timestamp',
  claims: CLAIMS,
  start: () => ({
    follow: followResults('resources/list', 'resources/templates/list', 'tools/call', 'prompts/get'),
    settled: false,
    judged: new Set<Claim>(),
  }),
  *see(state, frame) {
    if (lacks(frame, 'resources')) state.settled = true
    for (const { result } of state.follow(frame)) {
      state.settled = true
      for (const annotations of annotationsIn(result)) {
        for (const [claim, holds, expected] of rulesFor(annotations)) {
          state.judged.add(claim)
          yield judge(claim, holds, expected, shown(annotations, frame))
        }
      }
    }
  },
  *end(state) {
    for (const claim of Object.keys(CLAIMS) as Claim[])
      if (state.settled && !state.judged.has(claim))
        yield judge(claim, 'n/a', 'such an annotation', { text: 'no such annotation was sent', frames: [] })
  },
  defects: [
    { named: 'an audience that is a text', breaks: 'audience', ...annotated({ audience: 'user' }) },
    { named: 'another audience', breaks: 'audience', ...annotated({ audience: ['user', 'system'] }) },
    { named: 'a priority of 5', breaks: 'priority', ...annotated({ priority: 5 }) },
    { named: 'a priority below 0', breaks: 'priority', ...annotated({ priority: -0.1 }) },
    { named: 'a priority in words', breaks: 'priority', ...annotated({ priority: 'high' }) },
    { named: 'the date in words', breaks: 'modified', ...annotated({ lastModified: 'Tue, 25 Nov 2025 12:00:00 GMT' }) },
    { named: 'a number of seconds', breaks: 'modified', ...annotated({ lastModified: 1764072000 }) },
    {
      named: 'another audience of a template',
      breaks: 'audience',
      on: 'server/resources/templates',
      tamper: tampers.result('resources/templates/list', () => ({
        resourceTemplates: [{ uriTemplate: 'test://{x}', name: 'x', annotations: { audience: ['everybody'] } }],
      })),
    },
  ],
  variants: [
    {
      named: 'the ends of the scale, and an offset',
      shows: ['audience', 'priority', 'modified'],
      ...annotated({ audience: [], priority: 0, lastModified: '2025-11-25T12:00+02:00', 'x-own': 1 }),
    },
    {
      named: 'a date alone',
      shows: ['priority', 'modified'],
      ...annotated({ priority: 1, lastModified: '2025-11-25' }),
    },
    {
      named: 'a timestamp of any form, where the revision knew none',
      spec: '2025-03-26',
      ...annotated({ lastModified: 'yesterday' }),
    },
  ],
})

const shown = (value: Json, frame: Frame) => ({ text: JSON.stringify(value).slice(0, SHOWN), frames: [frame] })

function annotationsIn(result: Json): Json[] {
  const blocks = [...arrayAt(result, 'content'), ...arrayAt(result, 'messages').map(one => at(one, 'content') ?? null)]
  const holders = [...arrayAt(result, 'resources'), ...arrayAt(result, 'resourceTemplates'), ...blocks]
  return holders.map(holder => at(holder, 'annotations')).filter(found => found !== undefined)
}

function arrayAt(value: Json, member: string): Json[] {
  const found = at(value, member)
  return Array.isArray(found) ? found : []
}

function* rulesFor(annotations: Json): Iterable<[Claim, boolean, string]> {
  const audience = at(annotations, 'audience')
  const priority = at(annotations, 'priority')
  const modified = at(annotations, 'lastModified')
  if (audience !== undefined) {
    const known = Array.isArray(audience) && audience.every(one => one === 'user' || one === 'assistant')
    yield ['audience', known, 'a list of user and assistant']
  }
  if (priority !== undefined)
    yield ['priority', typeof priority === 'number' && priority >= 0 && priority <= 1, 'a number from 0 to 1']
  if (modified !== undefined) yield ['modified', isTimestamp(modified), 'a timestamp of ISO 8601']
}

/** One more resource, with these annotations. */
function annotated(annotations: Json): { on: string; tamper: Tamper } {
  return {
    on: 'server/resources/listed',
    tamper: tampers.result('resources/list', result => ({
      ...result,
      resources: [...arrayAt(result, 'resources'), { uri: 'test://x', name: 'x', annotations }],
    })),
  }
}
