import {
  at,
  isObject,
  type JsonObject,
  judge,
  type Kind,
  listAll,
  type Reply,
  type ServerPeer,
  serverScenario,
  success,
  tampers,
  textAt,
} from '../../../src/suite/server.ts'

/** So many of a kind are used: enough to meet different shapes, few enough to take no time. */
const SOME = 3
const CALL_WITHIN_MS = 3_000

const LISTS = [
  { capability: 'tools', method: 'tools/list', member: 'tools', key: 'name' },
  { capability: 'prompts', method: 'prompts/list', member: 'prompts', key: 'name' },
  { capability: 'resources', method: 'resources/list', member: 'resources', key: 'uri' },
  { capability: 'resources', method: 'resources/templates/list', member: 'resourceTemplates', key: 'uriTemplate' },
]

/** Contents that are no text, and what is wrong with them. */
const FLAWED: [Kind, JsonObject][] = [
  ['malformed', { text: 'caf\ufffd' }],
  ['malformed', { text: 'a\0b' }],
  ['wrong-type', { text: 'GIF89a', mimeType: 'image/gif' }],
]

/** Walks through what the server offers, so that the monitors see answers of each kind. */
export default serverScenario({
  title: 'What is listed comes page by page, and text is what can be read as text',
  claims: {
    pages: 'schema.pagination.starts-after-cursor',
    textual: 'schema.resources.text-only-if-textual',
  },
  async *run(peer) {
    const found: Record<string, JsonObject[]> = {}
    let paged = false
    for (const { capability, method, member, key } of LISTS) {
      if (peer.capabilities[capability] === undefined) continue
      const { entries, replies } = await listAll(peer, method, member)
      found[member] = entries
      const [first, second] = replies
      if (first === undefined || second?.kind !== 'result') continue
      paged = true
      yield judge(
        'pages',
        !repeats(first, second, member, key),
        `no ${member} of the first page on the second`,
        second,
        {
          kind: 'duplicate',
          subject: method,
        },
      )
    }
    if (!paged) yield judge('pages', 'n/a', 'a second page', { text: 'no list has one', frames: [] })
    const texts = await readSome(peer, found.resources ?? [])
    for (const { uri, reply } of texts) {
      const kind = flawOf(reply)
      yield judge('textual', kind === undefined, 'text without U+FFFD, NUL and pictures', reply, {
        ...(kind === undefined ? {} : { kind }),
        subject: uri,
      })
    }
    if (texts.length === 0) yield judge('textual', 'n/a', 'a resource of text', { text: 'none was read', frames: [] })
    await getSome(peer, found.prompts ?? [])
    await callSome(peer, found.tools ?? [])
  },
  defects: [
    {
      named: 'the first page again',
      breaks: 'pages',
      kind: 'duplicate',
      tamper: tampers.answer('resources/list', (message, cause) =>
        success({
          resources: [{ uri: 'test://static-text', name: 'static-text' }],
          ...(at(cause, 'params', 'cursor') === undefined ? { nextCursor: '2' } : {}),
        })(message),
      ),
    },
    ...FLAWED.map(([kind, contents]) => ({
      named: `reads ${JSON.stringify(contents)}`,
      breaks: 'textual' as const,
      kind,
      tamper: tampers.result('resources/read', () => ({ contents: [{ uri: 'test://static-text', ...contents }] })),
    })),
  ],
  variants: [
    {
      named: 'two pages, and a picture that is text',
      shows: ['pages', 'textual'],
      tamper: out =>
        tampers
          .result('resources/read', () => ({
            contents: [{ uri: 'test://picture', mimeType: 'image/svg+xml', text: '<svg/>' }],
          }))(out)
          .flatMap(
            tampers.answer('resources/list', (message, cause) =>
              success(
                at(cause, 'params', 'cursor') === undefined
                  ? { resources: [{ uri: 'test://static-text', name: 'one' }], nextCursor: '2' }
                  : { resources: [{ uri: 'test://picture', name: 'two' }] },
              )(message),
            ),
          ),
    },
  ],
})

function repeats(first: Reply, second: Reply, member: string, key: string): boolean {
  const keys = (reply: Reply): (string | undefined)[] => {
    const entries = at(reply, 'result', member)
    return Array.isArray(entries) ? entries.map(entry => textAt(entry, key)) : []
  }
  const before = new Set(keys(first))
  return keys(second).some(one => one !== undefined && before.has(one))
}

/** The answers that hold text. */
async function readSome(peer: ServerPeer, resources: readonly JsonObject[]): Promise<{ uri: string; reply: Reply }[]> {
  const texts: { uri: string; reply: Reply }[] = []
  for (const { uri } of resources.slice(0, SOME)) {
    if (typeof uri !== 'string') continue
    const reply = await peer.request('resources/read', { uri })
    if (contentsOf(reply).some(contents => typeof contents.text === 'string')) texts.push({ uri, reply })
  }
  return texts
}

function contentsOf(reply: Reply): JsonObject[] {
  const contents = at(reply, 'result', 'contents')
  return Array.isArray(contents) ? contents.filter(isObject) : []
}

/** Pictures have another type than text; U+FFFD and NUL show that it was read in a wrong way. */
function flawOf(reply: Reply): Kind | undefined {
  const texts = contentsOf(reply).filter(({ text }) => typeof text === 'string')
  if (texts.some(({ mimeType }) => typeof mimeType === 'string' && /^image\/(?!svg)/i.test(mimeType)))
    return 'wrong-type'
  return texts.some(({ text }) => /[\ufffd\0]/.test(String(text))) ? 'malformed' : undefined
}

async function getSome(peer: ServerPeer, prompts: readonly JsonObject[]): Promise<void> {
  const simple = prompts.filter(prompt => argumentsOf(prompt).every(one => one.required !== true))
  for (const { name } of simple.slice(0, SOME)) {
    if (typeof name === 'string') await peer.request('prompts/get', { name })
  }
  const named = prompts.find(prompt => argumentsOf(prompt).length > 0)
  const argument = textAt(argumentsOf(named)[0], 'name')
  if (peer.capabilities.completions === undefined || named === undefined || argument === undefined) return
  await peer.request('completion/complete', {
    ref: { type: 'ref/prompt', name: named.name },
    argument: { name: argument, value: '' },
  })
}

function argumentsOf(prompt: JsonObject | undefined): JsonObject[] {
  const list = prompt?.arguments
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Only tools that say that they change nothing, and that need nothing to be made up for them. */
async function callSome(peer: ServerPeer, tools: readonly JsonObject[]): Promise<void> {
  const harmless = tools.filter(tool => {
    const required = at(tool, 'inputSchema', 'required')
    const needsNothing = required === undefined || (Array.isArray(required) && required.length === 0)
    return at(tool, 'annotations', 'readOnlyHint') === true && needsNothing
  })
  for (const { name } of harmless.slice(0, SOME)) {
    if (typeof name !== 'string') continue
    const call = peer.request('tools/call', { name, arguments: {} }, { withinMs: CALL_WITHIN_MS })
    if ((await call).kind === 'none') await call.cancel('this takes too long')
  }
}
