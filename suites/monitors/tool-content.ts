import {
  annotationProblem,
  at,
  base64Fit,
  type Fault,
  followResults,
  isObject,
  isUri,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  type MonitorContext,
  mediaTypeFit,
  monitor,
  type Outcome,
  type Revision,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

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
    ...[undefined, null, 5, { value: 'x' }].map(text => ({
      named: `text content with text ${JSON.stringify(text)}`,
      ...blocks({ type: 'text', text }),
      breaks: 'text' as const,
    })),
    ...(['image', 'audio'] as const).flatMap(type =>
      [
        { mimeType: `${type}/x` },
        { data: 'AAAA' },
        { data: 'no base64!', mimeType: `${type}/x` },
        { data: `data:${type}/x;base64,AAAA`, mimeType: `${type}/x` },
        { data: '__--', mimeType: `${type}/x` },
        { data: [0, 1], mimeType: `${type}/x` },
        { data: 'AAAA', mimeType: 'png' },
      ].map(members => ({
        named: `${type} content with ${JSON.stringify(members)}`,
        ...blocks({ type, ...members }),
        breaks: type,
      })),
    ),
    { named: 'a link without a name', ...blocks({ type: 'resource_link', uri: 'test://x' }), breaks: 'link' },
    { named: 'a link with a path', ...blocks({ type: 'resource_link', uri: 'x.txt', name: 'x' }), breaks: 'link' },
    {
      named: 'a link with mimeType null',
      ...blocks({ type: 'resource_link', uri: 'test://x', name: 'x', mimeType: null }),
      breaks: 'link',
    },
    { named: 'an embedded resource without URI', ...embedded({ text: 'x' }), breaks: 'embedded' },
    { named: 'an embedded resource without content', ...embedded({ uri: 'test://x' }), breaks: 'embedded' },
    { named: 'an embedded resource twice', ...embedded({ uri: 'test://x', text: '', blob: '' }), breaks: 'embedded' },
    { named: 'a blob that is no base64', ...embedded({ uri: 'test://x', blob: '%' }), breaks: 'embedded' },
    {
      named: 'embeds resources that it did not declare',
      on: 'server/tools/content',
      replace: { capabilities: { tools: {} } },
      breaks: 'declared',
    },
    ...[null, { priority: 2 }, { audience: 'user' }, { lastModified: 'yesterday' }].map(annotations => ({
      named: `annotations ${JSON.stringify(annotations)}`,
      ...blocks({ type: 'text', text: 'x', annotations }),
      breaks: 'annotations' as const,
    })),
    {
      named: 'annotations of an embedded resource are a list',
      ...embedded({ uri: 'test://x', text: '', annotations: [] }),
      breaks: 'annotations',
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

type Member = ['text' | 'image' | 'audio' | 'link' | 'embedded', boolean | Outcome, string, Fault]

/** The claim that a block of that type is about, whether it holds, and what is wrong with it where it does not. */
function memberOf(block: JsonObject): Member {
  const { type, text, data, mimeType, resource } = block
  switch (type) {
    case 'image':
    case 'audio': {
      const [fit, named] = [base64Fit(data), mediaTypeFit(mimeType, type)]
      const fault: Fault =
        fit === 'holds'
          ? { kind: textFault(mimeType), subject: 'mimeType' }
          : { kind: textFault(data), subject: 'data' }
      return [type, worst(fit, named), 'base64 data and a mimeType', fault]
    }
    case 'resource_link':
      return ['link', ...linkFit(block)]
    case 'resource':
      return ['embedded', ...embeds(resource)]
    default:
      return ['text', typeof text === 'string', 'a text', { kind: textFault(text), subject: 'text' }]
  }
}

const worst = (...fits: Outcome[]): Outcome =>
  fits.includes('breaks') ? 'breaks' : fits.includes('bends') ? 'bends' : 'holds'

/** What is wrong with what should be a text of some form. */
const textFault = (value: Json | undefined): Kind =>
  value === undefined ? 'missing' : typeof value === 'string' ? 'malformed' : 'wrong-type'

type Fitting = [Outcome, string, Fault]

function linkFit(link: JsonObject): Fitting {
  const expected = 'a URI, a name, and optional members of their types'
  const { uri, name, size } = link
  const odd = ['title', 'description', 'mimeType'].find(
    member => !['string', 'undefined'].includes(typeof link[member]),
  )
  const wrong = typeof name !== 'string' ? 'name' : size !== undefined && typeof size !== 'number' ? 'size' : odd
  if (wrong === undefined) return [uriFit(uri), expected, { kind: textFault(uri), subject: 'uri' }]
  return ['breaks', expected, { kind: textFault(link[wrong]), subject: wrong }]
}

/** Characters that a URI may not have are what most readers forgive. */
const uriFit = (uri: Json | undefined): Outcome =>
  isUri(uri) ? 'holds' : typeof uri === 'string' && URL.canParse(uri) ? 'bends' : 'breaks'

function embeds(resource: Json | undefined): Fitting {
  const expected = 'a resource with a URI and either text or blob'
  const wrong = (kind: Kind, member = ''): Fitting => [
    'breaks',
    expected,
    { kind, subject: member === '' ? 'resource' : `resource.${member}` },
  ]
  if (!isObject(resource)) return wrong(resource === undefined ? 'missing' : 'wrong-type')
  const { uri, text, blob, mimeType } = resource
  if (text === undefined && blob === undefined) return wrong('missing')
  if (text !== undefined && blob !== undefined) return wrong('duplicate')
  if (text !== undefined && typeof text !== 'string') return wrong('wrong-type', 'text')
  if (mimeType !== undefined && typeof mimeType !== 'string') return wrong('wrong-type', 'mimeType')
  const encoded = blob === undefined ? 'holds' : base64Fit(blob)
  const [value, member] = uriFit(uri) === 'holds' ? [blob, 'blob'] : [uri, 'uri']
  return [worst(uriFit(uri), encoded), expected, { kind: textFault(value), subject: `resource.${member}` }]
}

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
