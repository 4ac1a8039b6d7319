import {
  at,
  base64Fit,
  isToolError,
  type Json,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  type Reply,
  serverScenario,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

const SIMPLE = 'This is a simple text response for testing.'

interface Fixture {
  claim: 'text' | 'image' | 'audio' | 'embedded' | 'types'
  form: string
  /** the blocks that it must return, in any order */
  blocks: ((block: Json) => boolean)[]
}

/** What each fixture returns, by the contract that SDK authors know. */
const FIXTURES: Record<string, Fixture> = {
  test_simple_text: {
    claim: 'text',
    form: `the text "${SIMPLE}"`,
    blocks: [block => at(block, 'type') === 'text' && at(block, 'text') === SIMPLE],
  },
  test_image_content: { claim: 'image', form: 'a PNG as image/png', blocks: [isPng] },
  test_audio_content: { claim: 'audio', form: 'a WAV file as audio/wav', blocks: [isWav] },
  test_embedded_resource: {
    claim: 'embedded',
    form: 'the resource test://embedded-resource as text/plain',
    blocks: [block => isResource(block, 'test://embedded-resource', 'text/plain')],
  },
  test_multiple_content_types: {
    claim: 'types',
    form: 'a text, a PNG and the resource test://mixed-content-resource as application/json',
    blocks: [
      block => at(block, 'type') === 'text' && textAt(block, 'text') !== undefined,
      isPng,
      block => isResource(block, 'test://mixed-content-resource', 'application/json'),
    ],
  },
}

export default serverScenario({
  title: 'A listed tool can be called, and returns each kind of content in its own form',
  needs: { capability: 'tools' },
  claims: {
    called: 'tools.call.supported',
    text: 'tools.content.text',
    image: 'tools.content.image',
    audio: 'tools.content.audio',
    embedded: 'tools.content.embedded-resource-allowed',
    types: 'tools.result.content-types',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    for (const [name, { claim, form, blocks }] of Object.entries(FIXTURES)) {
      const offered = entries.find(tool => tool.name === name)
      if (offered === undefined || at(offered, 'inputSchema', 'required', 0) !== undefined) {
        const why = offered === undefined ? 'not offered' : 'takes arguments, so it is another tool of that name'
        yield unmet(`fixture ${name} ${why}`, claim)
        continue
      }
      const reply = await peer.request('tools/call', { name, arguments: {} })
      const success = reply.kind === 'result' && !isToolError(reply)
      const called = success && Array.isArray(at(reply.result, 'content'))
      const kind = isToolError(reply) ? 'refused' : memberFault(reply, 'content')
      yield judge('called', called, `the result of ${name}`, reply, { kind, subject: name })
      const right = success && consistsOf(reply, blocks)
      yield judge(claim, right, `${form} from ${name}`, reply, success ? 'wrong-value' : kind)
    }
    if (!Object.keys(FIXTURES).some(name => entries.some(tool => tool.name === name)))
      yield unmet('fixture test_simple_text not offered', 'called')
  },
  defects: [
    {
      named: 'every call is an error of the tool',
      breaks: 'called',
      kind: 'refused',
      also: ['text', 'image', 'audio', 'embedded', 'types'],
      tamper: tampers.result('tools/call', result => ({ ...result, isError: true })),
    },
    {
      named: 'calls are not served',
      breaks: 'called',
      kind: 'refused',
      also: ['text', 'image', 'audio', 'embedded', 'types'],
      tamper: tampers.refuse('tools/call', -32601, 'Method not found'),
    },
    {
      named: 'one call is never answered',
      breaks: 'called',
      kind: 'silent',
      also: ['text'],
      replace: { drops: ({ params }) => at(params, 'name') === 'test_simple_text' },
    },
    {
      named: 'another text',
      breaks: 'text',
      kind: 'wrong-value',
      tamper: rewrite('text', block => ({ ...block, text: 'ok' })),
    },
    {
      named: 'the text is wrapped in JSON',
      breaks: 'text',
      kind: 'wrong-value',
      tamper: rewrite('text', block => ({ ...block, text: JSON.stringify({ result: block.text }) })),
    },
    {
      named: 'base64 that is no picture',
      breaks: 'image',
      kind: 'wrong-value',
      also: ['types'],
      tamper: rewrite('image', block => ({ ...block, data: 'bm8gcGljdHVyZQ==' })),
    },
    {
      named: 'a picture as a data URI',
      breaks: 'image',
      kind: 'wrong-value',
      also: ['types'],
      tamper: rewrite('image', block => ({ ...block, data: `data:image/png;base64,${block.data}` })),
    },
    {
      named: 'a picture that says that it is a JPEG',
      breaks: 'image',
      kind: 'wrong-value',
      also: ['types'],
      tamper: rewrite('image', block => ({ ...block, mimeType: 'image/jpeg' })),
    },
    {
      named: 'a sound that says that it is MP3',
      breaks: 'audio',
      kind: 'wrong-value',
      tamper: rewrite('audio', block => ({ ...block, mimeType: 'audio/mpeg' })),
    },
    {
      named: 'a sound as an image',
      breaks: 'audio',
      kind: 'wrong-value',
      tamper: rewrite('audio', block => ({ ...block, type: 'image' })),
    },
    {
      named: 'base64 of the alphabet for URLs',
      breaks: 'audio',
      kind: 'wrong-value',
      tamper: rewrite('audio', block => ({ ...block, data: String(block.data).replace(/A/g, '_') })),
    },
    {
      named: 'an embedded resource without URI',
      breaks: 'embedded',
      kind: 'wrong-value',
      also: ['types'],
      tamper: rewrite('resource', block => ({ ...block, resource: { text: 'x', mimeType: 'text/plain' } })),
    },
    {
      named: 'a resource flattened into its block',
      breaks: 'embedded',
      kind: 'wrong-value',
      also: ['types'],
      tamper: rewrite('resource', ({ resource }) => ({ ...(resource as JsonObject), type: 'resource' })),
    },
    {
      named: 'only the first block of several',
      breaks: 'types',
      kind: 'wrong-value',
      tamper: tampers.result('tools/call', result => ({ ...result, content: [at(result, 'content', 0)] as Json[] })),
    },
    {
      named: 'everything as text',
      breaks: 'types',
      kind: 'wrong-value',
      also: ['image', 'audio', 'embedded'],
      tamper: rewrite('image audio resource', block => ({ type: 'text', text: JSON.stringify(block) })),
    },
  ],
  variants: [
    {
      named: 'members beyond those that must be',
      shows: ['called', 'text', 'image', 'audio', 'embedded', 'types'],
      tamper: tampers.result('tools/call', result => ({
        ...result,
        isError: false,
        content: ((at(result, 'content') ?? []) as JsonObject[]).map(block => ({
          ...block,
          annotations: { priority: 1 },
        })),
      })),
    },
    { named: 'has no fixtures', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
    {
      named: 'has tools of the same names',
      tamper: tampers.result('tools/list', () => ({
        tools: Object.keys(FIXTURES).map(name => ({ name, inputSchema: { type: 'object', required: ['path'] } })),
      })),
    },
  ],
})

function isPng(block: Json): boolean {
  return (
    at(block, 'type') === 'image' && at(block, 'mimeType') === 'image/png' && bytesOf(block).startsWith('\x89PNG\r\n')
  )
}

function isWav(block: Json): boolean {
  const bytes = bytesOf(block)
  const riff = bytes.startsWith('RIFF') && bytes.slice(8, 12) === 'WAVE'
  return at(block, 'type') === 'audio' && at(block, 'mimeType') === 'audio/wav' && riff
}

/** One character a byte. */
function bytesOf(block: Json): string {
  const data = textAt(block, 'data')
  return data !== undefined && base64Fit(data) === 'holds' ? atob(data) : ''
}

function isResource(block: Json, uri: string, mimeType: string): boolean {
  const resource = at(block, 'resource')
  const named = at(resource, 'uri') === uri && at(resource, 'mimeType') === mimeType
  return at(block, 'type') === 'resource' && named && textAt(resource, 'text') !== undefined
}

/** Each block is one of those that must be there, and none of those is missing. */
function consistsOf(reply: Reply, wanted: Fixture['blocks']): boolean {
  const content = reply.kind === 'result' ? at(reply.result, 'content') : undefined
  if (!Array.isArray(content) || content.length !== wanted.length) return false
  return wanted.every(fits => content.some(fits))
}

/** Rewrites the blocks of these types in what tools return. */
function rewrite(types: string, change: (block: JsonObject) => JsonObject) {
  return tampers.result('tools/call', result => {
    const content = (at(result, 'content') ?? []) as JsonObject[]
    return {
      ...result,
      content: content.map(block => (types.split(' ').includes(String(block.type)) ? change(block) : block)),
    }
  })
}
