import {
  at,
  type CallableTool,
  callableTools,
  codes,
  fateOf,
  type Got,
  instanceProblems,
  isObject,
  type Json,
  type JsonObject,
  judge,
  listAll,
  memberFault,
  type Reply,
  type ServerPeer,
  schemaProblems,
  serverScenario,
  tampers,
  textAt,
  tryTool,
  unmet,
} from '../../../src/suite/server.ts'

/** Foreign tools may be slow, and may cost their owner something: this many are called in a run. */
const MOST_TOOLS = 8
const MOST_LINKS = 3
const STRUCTURED = 'test_structured_content'

type Claim = 'called' | 'present' | 'conforms' | 'copy' | 'link'

/** Tools that may be called, with the least arguments that their schemas allow. */
export default serverScenario({
  title: 'Tools can be called, and what they return fits what they declare',
  needs: { capability: 'tools' },
  claims: {
    called: 'tools.call.supported',
    present: 'tools.output-schema.structured-present',
    conforms: 'tools.output-schema.conforms',
    copy: 'tools.structured.text-copy',
    link: 'tools.content.resource-link-usable',
  },
  async *run(peer) {
    const { entries } = await listAll(peer, 'tools/list', 'tools')
    const judged = new Set<Claim>()
    const slow: string[] = []
    const links: { uri: string; reply: Reply }[] = []
    for (const callable of callableTools(peer, entries).slice(0, MOST_TOOLS)) {
      const reply = await tryTool(peer, callable, callable.args)
      if (reply === undefined) {
        slow.push(callable.name)
        continue
      }
      const fate = reply.kind === 'none' ? await fateOf(peer, { ...(await peer.settle()), messages: [] }) : reply
      for (const judgement of [...judgeCall(callable, reply, fate), ...judgeStructure(callable, reply)]) {
        judged.add(judgement.claim)
        yield judgement
      }
      links.push(...linksIn(reply).map(uri => ({ uri, reply })))
    }
    for (const { uri, reply } of links.slice(0, MOST_LINKS)) {
      judged.add('link')
      yield await judgeLink(peer, uri, reply)
    }
    const got = { text: 'no such tool was called', frames: [] }
    if (entries.every(tool => tool.outputSchema === undefined))
      for (const claim of ['present', 'conforms'] as const)
        yield judge(claim, 'n/a', 'a tool with an outputSchema', got)
    const why =
      slow.length > 0 ? `took long and were cancelled: ${slow.join(', ')}` : 'no tool that may be called gave a result'
    if (!judged.has('called')) yield unmet(why)
    if (!judged.has('copy')) yield unmet('no tool that was called gave structured content', 'copy')
    if (!judged.has('link')) yield unmet('no tool that was called gave a link to a resource', 'link')
  },
  defects: [
    {
      named: 'calls are not served',
      breaks: 'called',
      kind: 'refused',
      tamper: tampers.refuse('tools/call', codes.methodNotFound, 'Method not found'),
    },
    {
      named: 'calls are never answered',
      breaks: 'called',
      kind: 'silent',
      replace: { drops: ({ method }) => method === 'tools/call' },
    },
    {
      named: 'structured content is left out',
      breaks: 'present',
      kind: 'missing',
      tamper: tampers.result('tools/call', result => ({ ...result, structuredContent: undefined })),
    },
    {
      named: 'a required member is missing',
      breaks: 'conforms',
      kind: 'wrong-value',
      tamper: structured(({ city }) => ({ city })),
    },
    {
      named: 'an optional member is null',
      breaks: 'conforms',
      kind: 'wrong-value',
      tamper: structured(content => ({ ...content, warning: null })),
    },
    {
      named: 'numbers as text',
      breaks: 'conforms',
      kind: 'wrong-value',
      tamper: structured(content => ({ ...content, highs: ['20.5'] })),
    },
    {
      named: 'an error with structured content of another shape',
      breaks: 'conforms',
      kind: 'wrong-value',
      verdict: 'warn',
      tamper: tampers.answer('tools/call', (message, { params }) =>
        at(params, 'name') === STRUCTURED
          ? { ...message, result: { content: [], isError: true, structuredContent: { error: 'no' } } }
          : message,
      ),
    },
    {
      named: 'the text says something else',
      breaks: 'copy',
      kind: 'missing',
      tamper: tampers.result('tools/call', result => ({ ...result, content: [{ type: 'text', text: 'sunny' }] })),
    },
    {
      named: 'the text is another JSON value',
      breaks: 'copy',
      kind: 'missing',
      tamper: tampers.result('tools/call', result =>
        result.structuredContent === undefined
          ? result
          : { ...result, content: [{ type: 'text', text: '{"city":""}' }] },
      ),
    },
    {
      named: 'a link that leads nowhere',
      breaks: 'link',
      kind: 'refused',
      tamper: tampers.result('tools/call', result =>
        at(result, 'content', 0, 'type') === 'resource_link'
          ? { ...result, content: [{ type: 'resource_link', uri: 'test://nowhere', name: 'nowhere' }] }
          : result,
      ),
    },
  ],
  variants: [
    {
      named: 'the text copy in another order, and with white space',
      shows: ['copy'],
      tamper: tampers.result('tools/call', result => {
        const content = result.structuredContent
        if (!isObject(content)) return result
        const members = Object.fromEntries(Object.entries(content).reverse())
        return {
          ...result,
          content: [
            { type: 'text', text: 'Forecast:' },
            { type: 'text', text: JSON.stringify(members, null, 2) },
          ],
        }
      }),
    },
    {
      named: 'every call is an error of the tool',
      tamper: tampers.result('tools/call', () => ({ content: [{ type: 'text', text: 'no' }], isError: true })),
    },
    {
      named: 'a link for the web',
      tamper: tampers.result('tools/call', result =>
        at(result, 'content', 0, 'type') === 'resource_link'
          ? { ...result, content: [{ type: 'resource_link', uri: 'https://example.com/', name: 'web' }] }
          : result,
      ),
    },
    {
      named: 'a link without the capability resources',
      bends: ['link'],
      replace: { capabilities: { tools: {} } },
    },
    { named: 'no tool that may be called', tamper: tampers.result('tools/list', () => ({ tools: [] })) },
  ],
})

/**
 * A foreign tool may well have to refuse the least arguments, by an error or a status of its own. It cannot deny
 * that there are calls at all, nor fall silent.
 */
function* judgeCall({ name, fixture }: CallableTool, reply: Reply, fate: Got) {
  const denies = reply.kind === 'error' && reply.code === codes.methodNotFound
  const right = reply.kind === 'result'
  if (right || fixture || denies || reply.kind === 'none')
    yield judge('called', right, `a result of ${name}`, fate, { subject: name })
}

function* judgeStructure({ name, tool }: CallableTool, reply: Reply) {
  if (reply.kind !== 'result') return
  const { outputSchema } = tool
  const content = at(reply.result, 'structuredContent')
  const failed = at(reply.result, 'isError') === true
  const declared = isObject(outputSchema) && schemaProblems(outputSchema) === undefined
  // The text says nothing about errors, so they need none; what comes with one should still fit.
  if (declared && !failed)
    yield judge('present', content !== undefined, `structuredContent from ${name}`, reply, {
      kind: 'missing',
      subject: name,
    })
  if (declared && content !== undefined) {
    const problem = instanceProblems(outputSchema, content)
    const outcome = problem === undefined ? 'holds' : failed ? 'bends' : 'breaks'
    const got = problem === undefined ? reply : { text: `${problem}: ${JSON.stringify(content)}`, frames: reply.frames }
    yield judge('conforms', outcome, `structuredContent as the outputSchema of ${name} has it`, got, { subject: name })
  }
  if (content !== undefined && !failed)
    yield judge(
      'copy',
      textsIn(reply).some(text => isCopy(text, content)),
      `structuredContent of ${name} as text, too`,
      reply,
      { kind: 'missing', subject: name },
    )
}

async function judgeLink(peer: ServerPeer, uri: string, reply: Reply) {
  if (/^https?:/i.test(uri)) return judge('link', 'n/a', 'a link to a resource of the server, not of the web', reply)
  const expected = `contents of ${uri}, which a tool linked`
  if (peer.capabilities.resources === undefined)
    return judge('link', 'bends', expected, reply, { kind: 'missing', subject: uri })
  const read = await peer.request('resources/read', { uri })
  const right = read.kind === 'result' && Array.isArray(at(read.result, 'contents'))
  return judge('link', right, expected, read, { kind: memberFault(read, 'contents'), subject: uri })
}

function blocksIn(reply: Reply): Json[] {
  const content = reply.kind === 'result' ? at(reply.result, 'content') : undefined
  return Array.isArray(content) ? content : []
}

const textsIn = (reply: Reply): string[] =>
  blocksIn(reply).flatMap(block => (at(block, 'type') === 'text' ? (textAt(block, 'text') ?? []) : []))

const linksIn = (reply: Reply): string[] =>
  blocksIn(reply).flatMap(block => (at(block, 'type') === 'resource_link' ? (textAt(block, 'uri') ?? []) : []))

/** The same JSON value, whatever the order of members and the white space. */
function isCopy(text: string, value: Json): boolean {
  try {
    return canonical(JSON.parse(text) as Json) === canonical(value)
  } catch {
    return false
  }
}

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )

/** Rewrites structured content, and its copy with it. */
function structured(change: (content: JsonObject) => JsonObject) {
  return tampers.result('tools/call', result => {
    if (!isObject(result.structuredContent)) return result
    const structuredContent = change(result.structuredContent)
    return { ...result, structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  })
}
