import {
  at,
  codes,
  failure,
  type JsonObject,
  judge,
  listAll,
  type Reply,
  type ServerPeer,
  serverScenario,
  succeeded,
  unmet,
} from '../../../src/suite/server.ts'

/** There on Linux and macOS, with neighbours; nobody keeps secrets there. */
const ROOT = '/usr/lib'
const MISSING = `${ROOT}/x-conformance-no-such-directory`
const OUTSIDE = '/usr/share'
/** Ways out of the root: by dots, and into a neighbour whose name begins like the root's. */
const ESCAPES = [`${ROOT}/../share`, '/usr/libexec']

/** Tools that only look at a directory, by the names that they usually have. */
const LOOKS = /^(?:test_)?(?:list_?dir(?:ectory)?|get_?file_?info|stat)$/i
const PATHS = ['path', 'dir', 'directory', 'folder']

export default serverScenario({
  title: 'A tool that looks at directories does so only inside the roots of the client',
  needs: { capability: 'tools' },
  session: 'own',
  hello: { capabilities: { roots: { listChanged: true } } },
  claims: {
    respects: 'roots.security.server-respects-boundaries',
    validates: 'roots.security.server-validates-paths',
  },
  async *run(peer) {
    const stream = peer.via === 'http' ? await peer.listen() : undefined
    const look = await findTool(peer)
    if (look === undefined) {
      yield unmet('no tool that looks at a directory and may be called')
      return
    }
    if (!(await offer(peer, { uri: `file://${ROOT}`, name: 'Libraries' }))) {
      yield unmet('the server did not ask for the roots')
      return
    }
    // The controls: inside the root the tool works, and what it cannot do it says with an error.
    const inside = await look(ROOT)
    const missing = await look(MISSING)
    if (!succeeded(inside) || succeeded(missing)) {
      yield unmet('the tool does not work inside the root, or does not report a failure as one')
      return
    }
    const outside = await look(OUTSIDE)
    yield judge('respects', !succeeded(outside), `an error for ${OUTSIDE}, with the root ${ROOT}`, outside, 'accepted')
    for (const path of ESCAPES) {
      const escaped = await look(path)
      yield judge('validates', !succeeded(escaped), `an error for ${path}, with the root ${ROOT}`, escaped, {
        kind: 'accepted',
        subject: path,
      })
    }
    stream?.close()
  },
  defects: [
    {
      named: 'asks for the roots and forgets them',
      breaks: 'respects',
      kind: 'accepted',
      also: ['validates'],
      replace: { insideRoots: () => true },
    },
    {
      named: 'compares the beginnings of paths',
      breaks: 'validates',
      kind: 'accepted',
      replace: { insideRoots: (path, roots) => roots.some(root => path.startsWith(root)) },
    },
    {
      named: 'does not resolve the dots in a path',
      breaks: 'validates',
      kind: 'accepted',
      replace: { insideRoots: (path, roots) => roots.some(root => path === root || path.startsWith(`${root}/`)) },
    },
  ],
  variants: [
    {
      named: 'refuses with a JSON-RPC error',
      shows: ['respects', 'validates'],
      tamper: out =>
        out.layer === 'message' && at(out.message, 'result', 'isError') === true
          ? [{ ...out, message: failure(out.cause?.id ?? null, codes.invalidParams, 'Access denied') }]
          : [out],
    },
    { named: 'does not ask for roots', replace: { greets: () => [] } },
  ],
})

type Look = (path: string) => Promise<Reply>

async function findTool(peer: ServerPeer): Promise<Look | undefined> {
  const { entries } = await listAll(peer, 'tools/list', 'tools')
  for (const entry of entries) {
    const required = at(entry, 'inputSchema', 'required')
    const member = Array.isArray(required) && required.length === 1 ? String(required[0]) : ''
    if (!LOOKS.test(String(entry.name)) || !PATHS.includes(member) || !peer.mayCall(entry)) continue
    return path =>
      Promise.resolve(peer.request('tools/call', { name: String(entry.name), arguments: { [member]: path } }))
  }
  return undefined
}

/** Changes the roots to this one; true when the server has asked for it. */
async function offer(peer: ServerPeer, root: JsonObject): Promise<boolean> {
  const asked = new Promise<true>(resolve => {
    peer.on('roots/list', () => {
      resolve(true)
      return { result: { roots: [root] } }
    })
  })
  await peer.notify('notifications/roots/list_changed')
  const heard = await Promise.race([asked, peer.watch().then(() => false)])
  // Over HTTP a ping may overtake our answer; the second one is behind it for certain.
  await peer.settle()
  await peer.settle()
  return heard
}
