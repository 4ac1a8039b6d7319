import {
  at,
  base64Fit,
  type Frame,
  followResults,
  isObject,
  isUri,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  mediaTypeFit,
  monitor,
  type Outcome,
  type Tamper,
  tampers,
  textFault,
} from '../../src/suite/monitor.ts'

/** Data is long: it is shown up to here. */
const SHOWN = 160
const GOOD: JsonObject = { uri: 'test://x', mimeType: 'text/plain', text: 'x' }

const CLAIMS = {
  imageData: 'prompts.image.base64',
  imageType: 'prompts.image.mime-type',
  audioData: 'prompts.audio.base64',
  audioType: 'prompts.audio.mime-type',
  uri: 'prompts.resource.uri',
  mimeType: 'prompts.resource.mime-type',
  body: 'prompts.resource.text-or-blob',
} as const

/** The results of prompts/get. */
export default monitor({
  title: 'Pictures, sounds and resources in a prompt carry their data, and say of what type it is',
  claims: CLAIMS,
  unseen: 'n/a',
  start: () => followResults('prompts/get'),
  *see(follow, frame) {
    for (const { result } of follow(frame)) {
      const messages = at(result, 'messages')
      for (const message of Array.isArray(messages) ? messages : []) yield* judgeContent(at(message, 'content'), frame)
    }
  },
  defects: [
    ...(['image', 'audio'] as const).flatMap(type => [
      ...faulty(
        ['malformed', 'data:image/png;base64,QUJD', '_-_-', 'Q', 'no base64', '%QUJD'],
        ['wrong-type', null, [1, 2, 3]],
      ).map(([kind, data]) => ({
        named: `the data of ${type} content is ${JSON.stringify(data)}`,
        on: 'server/prompts/get',
        breaks: `${type}Data` as const,
        kind,
        tamper: showing({ type, data, mimeType: `${type}/x` }),
      })),
      ...faulty(['malformed', 'png', '', 'image/'], ['wrong-type', null], ['missing', undefined]).map(
        ([kind, mimeType]) => ({
          named: `the MIME type of ${type} content is ${JSON.stringify(mimeType) ?? 'absent'}`,
          on: 'server/prompts/get',
          breaks: `${type}Type` as const,
          kind,
          tamper: showing({ type, data: 'QUJD', mimeType }),
        }),
      ),
    ]),
    ...faulty(['malformed', '/etc/hosts', 'a b', '', 'file:///a b'], ['wrong-type', null], ['missing', undefined]).map(
      ([kind, uri]) => ({
        named: `the URI of a resource is ${JSON.stringify(uri) ?? 'absent'}`,
        on: 'server/prompts/get',
        breaks: 'uri' as const,
        kind,
        tamper: showing({ type: 'resource', resource: { ...GOOD, uri } }),
      }),
    ),
    ...faulty(['malformed', 'text'], ['wrong-type', null]).map(([kind, mimeType]) => ({
      named: `the MIME type of a resource is ${JSON.stringify(mimeType)}`,
      on: 'server/prompts/get',
      breaks: 'mimeType' as const,
      kind,
      tamper: showing({ type: 'resource', resource: { ...GOOD, mimeType } }),
    })),
    ...faulty(
      ['missing', {}, { content: 'x' }],
      ['wrong-type', { text: 7 }, { blob: null }],
      ['malformed', { blob: 'data:,x' }],
      ['duplicate', { text: 'x', blob: 'QUJD' }],
    ).map(([kind, body]) => ({
      named: `a resource holds ${JSON.stringify(body)}`,
      on: 'server/prompts/get',
      breaks: 'body' as const,
      kind,
      ...(kind === 'duplicate' ? { verdict: 'warn' as const } : {}),
      tamper: showing({
        type: 'resource',
        resource: { uri: 'test://x', mimeType: 'text/plain', ...(body as JsonObject) },
      }),
    })),
    {
      named: 'the members of the resource are those of the content',
      on: 'server/prompts/get',
      breaks: 'uri',
      kind: 'missing',
      also: ['mimeType', 'body'],
      tamper: showing({ type: 'resource', ...GOOD }),
    },
  ],
  variants: [
    {
      named: 'a picture that is XML',
      on: 'server/prompts/get',
      shows: ['imageData', 'imageType'],
      tamper: showing({ type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml; charset=utf-8' }),
    },
    {
      named: 'padding left out, and another type than an image',
      on: 'server/prompts/get',
      bends: ['imageData', 'imageType'],
      tamper: showing({ type: 'image', data: 'QQ', mimeType: 'application/pdf' }),
    },
    {
      named: 'a resource with binary data and a scheme of its own',
      on: 'server/prompts/get',
      shows: ['uri', 'mimeType', 'body'],
      tamper: showing({ type: 'resource', resource: { uri: 'x-own:a', mimeType: 'image/png', blob: 'QQ==' } }),
    },
    {
      named: 'a resource of unknown type, as the schema allows it',
      on: 'server/prompts/get',
      bends: ['mimeType'],
      tamper: showing({ type: 'resource', resource: { uri: 'test://x', text: '' } }),
    },
    {
      named: 'words only',
      on: 'server/prompts/get',
      tamper: showing({ type: 'text', text: 'data:image/png;base64,QUJD' }),
    },
  ],
})

function* judgeContent(content: Json | undefined, frame: Frame) {
  const got = { text: `the content ${JSON.stringify(content)?.slice(0, SHOWN)}`, frames: [frame] }
  const type = at(content, 'type')
  if (type === 'image' || type === 'audio') {
    const data = at(content, 'data')
    yield judge(`${type}Data` as const, base64Fit(data), 'data in standard base64', got, textFault(data))
    const mimeType = at(content, 'mimeType')
    const fit = mediaTypeFit(mimeType, type)
    const kind = fit === 'bends' ? 'wrong-value' : textFault(mimeType)
    yield judge(`${type}Type` as const, fit, `a MIME type, and one of ${type}`, got, kind)
  }
  if (type !== 'resource') return
  const resource = at(content, 'resource')
  const uri = at(resource, 'uri')
  yield judge('uri', isUri(uri), 'a resource with an absolute URI', got, textFault(uri))
  const mimeType = at(resource, 'mimeType')
  // The page wants it, the schema leaves it out.
  const named = mimeType === undefined && isObject(resource) ? 'bends' : mediaTypeFit(mimeType)
  yield judge('mimeType', named, 'a resource with its MIME type', got, textFault(mimeType))
  const [outcome, fault] = bodyOf(resource)
  yield judge('body', outcome, 'a resource with either text or base64 data', got, fault)
}

function bodyOf(resource: Json | undefined): [outcome: boolean | Outcome, kind: Kind] {
  const text = at(resource, 'text')
  const blob = at(resource, 'blob')
  if (text !== undefined && blob !== undefined) return ['bends', 'duplicate']
  return text === undefined ? [base64Fit(blob), textFault(blob)] : [typeof text === 'string', 'wrong-type']
}

function showing(content: JsonObject): Tamper {
  return tampers.result('prompts/get', () => ({ messages: [{ role: 'user', content }] }))
}

/** Values, each with the kind of fault that it is. */
function faulty(...groups: [kind: Kind, ...values: unknown[]][]): [Kind, Json][] {
  return groups.flatMap(([kind, ...values]) => values.map((value): [Kind, Json] => [kind, value as Json]))
}
