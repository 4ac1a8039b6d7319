import {
  annotationProblem,
  at,
  followResults,
  isObject,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  type MonitorContext,
  monitor,
  type Revision,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'
import { memberOf } from './_content-blocks.ts'

/** The types of content, with the revision that knows them first. */
const TYPES: Record<string, Revision> = {
  text: '2024-11-05',
  image: '2024-11-05',
  resource: '2024-11-05',
  audio: '2025-03-26',
  resource_link: '2025-06-18',
}
/** Content may be long: it is shown up to here. */
const SHOWN = 160

interface State {
  context: MonitorContext
  results: ReturnType<typeof followResults>
  /** whether the server declared resources; undefined before the handshake */
  resources: boolean | undefined
}

/**
 * What tools return, whoever called them, and whether as a result or as the result of a task. Which types there are is a
 * matter of monitors/schema.
 */
export default monitor({
  title: 'Each block of content that a tool returns has the members of its type',
  claims: {
    text: 'tools.content.text',
    image: 'tools.content.image',
    audio: 'tools.content.audio',
    link: 'tools.content.resource-link-allowed',
    embedded: 'tools.content.embedded-resource-allowed',
    declared: 'tools.content.embedded-needs-resources-capability',
    annotations: 'tools.content.annotations',
  },
  start: (context): State => ({ context, results: followResults('tools/call', 'tasks/result'), resources: undefined }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (isObject(declared) && at(message, 'result', 'protocolVersion') !== undefined)
        state.resources = isObject(declared.resources)
    }
    for (const { result } of state.results(frame)) {
      const content = at(result, 'content')
      for (const block of Array.isArray(content) ? content : []) {
        const got = { text: JSON.stringify(block).slice(0, SHOWN), frames: [frame] }
        if (!isObject(block) || !isKnown(at(block, 'type'), state.context.revision())) continue
        const [claim, outcome, expected, fault] = memberOf(block)
        yield judge(claim, outcome, expected, got, fault)
        if (claim === 'embedded' && state.resources !== undefined)
          yield judge('declared', state.resources, 'the capability resources of a server that embeds some', got, {
            kind: 'missing',
            subject: 'resources',
          })
        for (const annotations of [block.annotations, at(block, 'resource', 'annotations')]) {
          if (annotations === undefined) continue
          const { fit = 'holds', problem = 'all of that', ...fault } = annotationProblem(annotations) ?? {}
          const shown = { ...got, text: `${problem}: ${got.text}` }
          yield judge('annotations', fit, 'audience, priority and lastModified of their types', shown, fault)
        }
      }
    }
  },
  defects: [
    ...(
      [
        ['missing', undefined],
        ['wrong-type', null],
        ['wrong-type', 5],
        ['wrong-type', { value: 'x' }],
      ] as const
    ).map(([kind, text]) => ({
      named: `text content with text ${JSON.stringify(text)}`,
      ...blocks({ type: 'text', text: text as Json }),
      breaks: 'text' as const,
      kind,
    })),
    ...(['image', 'audio'] as const).flatMap(type =>
      (
        [
          ['missing', { mimeType: `${type}/x` }],
          ['missing', { data: 'AAAA' }],
          ['malformed', { data: 'no base64!', mimeType: `${type}/x` }],
          ['malformed', { data: `data:${type}/x;base64,AAAA`, mimeType: `${type}/x` }],
          ['malformed', { data: '__--', mimeType: `${type}/x` }],
          ['wrong-type', { data: [0, 1], mimeType: `${type}/x` }],
          ['malformed', { data: 'AAAA', mimeType: 'png' }],
        ] as [Kind, JsonObject][]
      ).map(([kind, members]) => ({
        named: `${type} content with ${JSON.stringify(members)}`,
        ...blocks({ type, ...members }),
        breaks: type,
        kind,
      })),
    ),
    {
      named: 'a link without a name',
      ...blocks({ type: 'resource_link', uri: 'test://x' }),
      breaks: 'link',
      kind: 'missing',
    },
    {
      named: 'a link with a path',
      ...blocks({ type: 'resource_link', uri: 'x.txt', name: 'x' }),
      breaks: 'link',
      kind: 'malformed',
    },
    {
      named: 'a link with mimeType null',
      ...blocks({ type: 'resource_link', uri: 'test://x', name: 'x', mimeType: null }),
      breaks: 'link',
      kind: 'wrong-type',
    },
    { named: 'an embedded resource without URI', ...embedded({ text: 'x' }), breaks: 'embedded', kind: 'missing' },
    {
      named: 'an embedded resource without content',
      ...embedded({ uri: 'test://x' }),
      breaks: 'embedded',
      kind: 'missing',
    },
    {
      named: 'an embedded resource twice',
      ...embedded({ uri: 'test://x', text: '', blob: '' }),
      breaks: 'embedded',
      kind: 'duplicate',
    },
    {
      named: 'a blob that is no base64',
      ...embedded({ uri: 'test://x', blob: '%' }),
      breaks: 'embedded',
      kind: 'malformed',
    },
    {
      named: 'embeds resources that it did not declare',
      on: 'server/tools/content',
      replace: { capabilities: { tools: {} } },
      breaks: 'declared',
      kind: 'missing',
    },
    ...(
      [
        ['wrong-type', null],
        ['wrong-value', { priority: 2 }],
        ['wrong-type', { audience: 'user' }],
      ] as const
    ).map(([kind, annotations]) => ({
      named: `annotations ${JSON.stringify(annotations)}`,
      ...blocks({ type: 'text', text: 'x', annotations }),
      breaks: 'annotations' as const,
      kind,
    })),
    {
      named: 'annotations {"lastModified":"yesterday"}',
      ...blocks({ type: 'text', text: 'x', annotations: { lastModified: 'yesterday' } }),
      breaks: 'annotations',
      kind: 'malformed',
      verdict: 'info',
    },
    {
      named: 'annotations of an embedded resource are a list',
      ...embedded({ uri: 'test://x', text: '', annotations: [] }),
      breaks: 'annotations',
      kind: 'wrong-type',
    },
  ],
  variants: [
    {
      named: 'every type, with all that may be there',
      shows: ['text', 'image', 'audio', 'link', 'embedded', 'declared', 'annotations'],
      ...rewrite({
        content: [
          { type: 'text', text: '', annotations: { audience: ['user'], priority: 0, lastModified: '2025-01-01' } },
          { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml; charset=utf-8' },
          { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'test:x', name: '', title: 'X', size: 0, icons: [] },
          { type: 'resource', resource: { uri: 'file:///x', blob: '' } },
          { type: 'resource', resource: { uri: 'test://x', text: '', annotations: {} } },
        ],
      }),
    },
    {
      named: 'a link with a blank in its URI',
      bends: ['link'],
      ...blocks({ type: 'resource_link', uri: 'file:///a b', name: 'x' }),
    },
    {
      named: 'base64 without padding',
      bends: ['image'],
      ...blocks({ type: 'image', data: 'AA', mimeType: 'image/png' }),
    },
  ],
})

const isKnown = (type: Json | undefined, revision: Revision): boolean =>
  typeof type === 'string' && Object.hasOwn(TYPES, type) && (TYPES[type] as Revision) <= revision

/** What every call returns. */
function rewrite(result: JsonObject) {
  return { on: 'server/tools/unknown-tool', tamper: tampers.result('tools/call', () => result) }
}

function blocks(...content: JsonObject[]) {
  return rewrite({ content })
}

function embedded(resource: JsonObject) {
  return blocks({ type: 'resource', resource })
}
