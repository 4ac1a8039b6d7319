import {
  at,
  base64Fit,
  type Json,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  type Reply,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

/** Enough to see how a server answers, and few enough for one with thousands of resources. */
const MAX_READS = 10
/** Larger ones are left alone where the list says so. */
const MAX_BYTES = 1024 * 1024

export default serverScenario({
  title: 'resources/read gives the contents of each listed resource',
  needs: { capability: 'resources' },
  claims: {
    reads: 'resources.read.supported',
    filled: 'resources.read.contents-shape',
    size: 'resources.resource.optional-members',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/list', 'resources')
    const readable = entries.filter(({ uri, size }) => typeof uri === 'string' && !(Number(size) > MAX_BYTES))
    const reads: { entry: JsonObject; reply: Reply }[] = []
    for (const entry of readable.slice(0, MAX_READS)) {
      const reply = await peer.request('resources/read', { uri: entry.uri })
      reads.push({ entry, reply })
      if (reply.kind === 'none') break
    }
    if (reads.length === 0) {
      yield unmet('no resource is listed')
      return
    }
    // A single resource may have vanished, or be protected; a fixture has no reason to, nor have all of them.
    const none = reads.every(({ reply }) => !hasContents(reply))
    for (const { entry, reply } of reads) {
      const excusable = reply.kind !== 'result' && !none && textAt(entry, 'uri')?.startsWith('test://') !== true
      const outcome = hasContents(reply) ? 'holds' : excusable ? 'bends' : 'breaks'
      yield judge('reads', outcome, `contents of ${JSON.stringify(entry.uri)}`, reply, {
        kind: memberFault(reply, 'contents'),
        subject: String(entry.uri),
      })
      if (!hasContents(reply)) continue
      const filled = reply.kind === 'result' && at(reply.result, 'contents', 0) !== undefined
      yield judge('filled', filled ? 'holds' : 'bends', 'at least one item of contents', reply, {
        kind: 'missing',
        subject: String(entry.uri),
      })
    }
    const measured = reads.flatMap(({ entry, reply }) => {
      const bytes = reply.kind === 'result' ? lengthOf(reply.result) : undefined
      return typeof entry.size === 'number' && bytes !== undefined
        ? [{ uri: String(entry.uri), size: entry.size, bytes, reply }]
        : []
    })
    for (const { uri, size, bytes, reply } of measured)
      yield judge(
        'size',
        size === bytes ? 'holds' : 'bends',
        `${size} bytes, as listed`,
        {
          text: `${bytes} bytes`,
          frames: reply.frames,
        },
        { subject: uri },
      )
    if (measured.length === 0)
      yield judge(
        'size',
        'n/a',
        'a resource whose size is listed',
        reads.flatMap(({ reply }) => reply.frames),
      )
  },
  defects: [
    {
      named: 'declared, but nothing can be read',
      breaks: 'reads',
      kind: 'refused',
      tamper: failing(() => true, -32601),
    },
    {
      named: 'a resource without mimeType cannot be read',
      breaks: 'reads',
      kind: 'refused',
      tamper: out =>
        listing({ uri: 'test://untyped', name: 'untyped' })(out).flatMap(
          failing(uri => uri === 'test://untyped', -32603),
        ),
    },
    {
      named: 'never answers a read',
      breaks: 'reads',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'resources/read' },
    },
    {
      named: 'the content itself for a list of contents',
      breaks: 'reads',
      kind: 'missing',
      tamper: tampers.result('resources/read', result => at(result, 'contents', 0) ?? null),
      also: ['size'],
    },
    {
      named: 'a listed resource without contents',
      breaks: 'filled',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.result('resources/read', () => ({ contents: [] })),
    },
    {
      named: 'the size is that of the base64 text',
      breaks: 'size',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: tampers.result('resources/list', result => ({ ...result, resources: resourcesOf(result).map(resized) })),
    },
  ],
  variants: [
    {
      named: 'one of several resources is protected',
      bends: ['reads'],
      tamper: out =>
        listing({ uri: 'file:///srv/secret', name: 'secret' })(out).flatMap(
          failing(uri => uri === 'file:///srv/secret', -32050),
        ),
    },
    {
      named: 'a resource with several contents',
      shows: ['reads'],
      tamper: tampers.result('resources/read', () => ({
        contents: ['a', 'b'].map(name => ({ uri: `test://x/${name}`, text: name })),
      })),
    },
    { named: 'no resource', tamper: tampers.result('resources/list', () => ({ resources: [] })) },
    {
      named: 'large resources, which are not read',
      tamper: tampers.result('resources/list', () => ({
        resources: [{ uri: 'test://large', name: 'large', size: 1e12 }],
      })),
    },
  ],
})

const hasContents = (reply: Reply): boolean => reply.kind === 'result' && Array.isArray(at(reply.result, 'contents'))

/** The bytes of the only item of contents. */
function lengthOf(result: Json): number | undefined {
  if (at(result, 'contents', 1) !== undefined) return undefined
  const text = textAt(result, 'contents', 0, 'text')
  if (text !== undefined) return new TextEncoder().encode(text).length
  const blob = textAt(result, 'contents', 0, 'blob')
  if (blob === undefined || base64Fit(blob) === 'breaks') return undefined
  return Math.floor((blob.replace(/[^A-Za-z0-9+/]/g, '').length * 3) / 4)
}

function resourcesOf(result: Json): Json[] {
  const resources = at(result, 'resources')
  return Array.isArray(resources) ? resources : []
}

const resized = (entry: Json): Json =>
  textAt(entry, 'uri') === 'test://all-bytes' ? { ...(entry as JsonObject), size: 344 } : entry

/** One more resource. */
function listing(entry: JsonObject): Tamper {
  return tampers.result('resources/list', result => ({ ...result, resources: [...resourcesOf(result), entry] }))
}

function failing(fits: (uri: string | undefined) => boolean, code: number): Tamper {
  return tampers.answer('resources/read', (message, cause) =>
    fits(textAt(cause, 'params', 'uri')) ? refusal(code, 'It cannot be read')(message) : message,
  )
}
