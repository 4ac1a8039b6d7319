import {
  at,
  type Frame,
  followResults,
  inapplicable,
  isTimestamp,
  type Json,
  judge,
  type Kind,
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

const NONE = { text: 'no such annotation was sent', frames: [] }

/** Annotations are shown up to this length. */
const SHOWN = 160

/** Hints on resources, on templates, and on the blocks of content in which they are linked or embedded. Those of tools are others. */
export default monitor({
  title: 'Annotations name a known audience, a priority from 0 to 1, and a timestamp',
  claims: CLAIMS,
  start: () => followResults('resources/list', 'resources/templates/list', 'tools/call', 'prompts/get'),
  *see(follow, frame) {
    const results = follow(frame)
    // What a result may have, it need not have.
    if (results.length > 0 || lacks(frame, 'resources'))
      yield* inapplicable(Object.keys(CLAIMS) as Claim[], 'such an annotation', NONE)
    for (const { method, result } of results) {
      for (const [place, annotations] of annotationsIn(result)) {
        for (const [claim, holds, kind, expected] of rulesFor(annotations))
          yield judge(claim, holds, expected, shown(annotations, frame), { kind, subject: `${method} ${place}` })
      }
    }
  },
  defects: [
    { named: 'an audience that is a text', breaks: 'audience', kind: 'wrong-type', ...annotated({ audience: 'user' }) },
    {
      named: 'another audience',
      breaks: 'audience',
      kind: 'wrong-value',
      ...annotated({ audience: ['user', 'system'] }),
    },
    { named: 'a priority of 5', breaks: 'priority', kind: 'wrong-value', ...annotated({ priority: 5 }) },
    { named: 'a priority below 0', breaks: 'priority', kind: 'wrong-value', ...annotated({ priority: -0.1 }) },
    { named: 'a priority in words', breaks: 'priority', kind: 'wrong-type', ...annotated({ priority: 'high' }) },
    {
      named: 'the date in words',
      breaks: 'modified',
      kind: 'malformed',
      ...annotated({ lastModified: 'Tue, 25 Nov 2025 12:00:00 GMT' }),
    },
    {
      named: 'a number of seconds',
      breaks: 'modified',
      kind: 'wrong-type',
      ...annotated({ lastModified: 1764072000 }),
    },
    {
      named: 'another audience of a template',
      breaks: 'audience',
      kind: 'wrong-value',
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

/** With their places. */
function annotationsIn(result: Json): [place: string, annotations: Json][] {
  return ['resources', 'resourceTemplates', 'content', 'messages'].flatMap(member =>
    arrayAt(result, member).flatMap((entry): [string, Json][] => {
      const within = member === 'messages' ? ['content'] : []
      const found = at(entry, ...within, 'annotations')
      return found === undefined ? [] : [[['result', `${member}[]`, ...within, 'annotations'].join('.'), found]]
    }),
  )
}

function arrayAt(value: Json, member: string): Json[] {
  const found = at(value, member)
  return Array.isArray(found) ? found : []
}

function* rulesFor(annotations: Json): Iterable<[Claim, boolean, Kind, string]> {
  const audience = at(annotations, 'audience')
  const priority = at(annotations, 'priority')
  const modified = at(annotations, 'lastModified')
  if (audience !== undefined) {
    const known = Array.isArray(audience) && audience.every(one => one === 'user' || one === 'assistant')
    yield ['audience', known, Array.isArray(audience) ? 'wrong-value' : 'wrong-type', 'a list of user and assistant']
  }
  if (priority !== undefined) {
    const isNumber = typeof priority === 'number'
    const within = isNumber && priority >= 0 && priority <= 1
    yield ['priority', within, isNumber ? 'wrong-value' : 'wrong-type', 'a number from 0 to 1']
  }
  if (modified !== undefined) {
    const kind = typeof modified === 'string' ? 'malformed' : 'wrong-type'
    yield ['modified', isTimestamp(modified), kind, 'a timestamp of ISO 8601']
  }
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
