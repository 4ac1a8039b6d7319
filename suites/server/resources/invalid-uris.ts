import {
  at,
  fateOf,
  type JsonObject,
  judge,
  listAll,
  type Outcome,
  type Reply,
  type ServerPeer,
  serverScenario,
  stuckBy,
  success,
  type Tamper,
  tampers,
  textAt,
  unmet,
} from '../../../src/suite/server.ts'

/** No URIs at all: whoever checks what he is given refuses them. */
const UNREADABLE = ['not a uri', '', '../x']

/** Not by the letter of RFC 3986 either, but many a parser takes it. */
const DOUBTFUL = ['test://%zz']

/** A harmless file that nearly every host has, far above whatever is listed. */
const OUTSIDE = 'etc/hostname'
const LEVELS = 16

export default serverScenario({
  title: 'A URI that is none, or leads out of the listed files, does not get contents',
  needs: { capability: 'resources' },
  // A server that these bring down would take the scenarios beside this one with it.
  session: 'own',
  claims: { validates: 'resources.security.validates-uris' },
  async *run(peer) {
    const { entries } = await listAll(peer, 'resources/list', 'resources')
    const known = entries.map(entry => textAt(entry, 'uri')).filter(uri => uri !== undefined)
    const control = known[0] === undefined ? undefined : await read(peer, known[0])
    if (control?.kind !== 'result') {
      yield unmet('no listed resource can be read')
      return
    }
    for (const uri of [...UNREADABLE, ...DOUBTFUL, ...outsideOf(known)]) {
      const subject = `the URI ${JSON.stringify(uri)}`
      const reply = await read(peer, uri, { intended: 'fault' })
      if (reply.kind === 'none') {
        const probe = await peer.settle()
        yield judge(
          'validates',
          'breaks',
          `an error for ${JSON.stringify(uri)}`,
          probe.alive ? reply : await fateOf(peer, probe),
          { subject },
        )
        if (!probe.alive) return
        continue
      }
      yield judge('validates', outcomeOf(uri, reply), `an error for ${JSON.stringify(uri)}`, reply, {
        kind: 'accepted',
        subject,
      })
    }
  },
  defects: [
    {
      named: 'the nearest resource for whatever is asked',
      breaks: 'validates',
      kind: 'accepted',
      tamper: answering(uri => uri === 'not a uri', { contents: [{ uri: 'test://static-text', text: 'x' }] }),
    },
    {
      named: 'an empty uri reads everything',
      breaks: 'validates',
      kind: 'accepted',
      tamper: answering(uri => uri === '', { contents: [{ uri: 'test://a', text: 'a' }] }),
    },
    {
      named: 'nothing, but no error either',
      breaks: 'validates',
      kind: 'accepted',
      verdict: 'warn',
      tamper: answering(uri => uri === '../x', { contents: [] }),
    },
    {
      named: 'a URI that cannot be decoded ends the conversation',
      breaks: 'validates',
      kind: 'stuck',
      replace: stuckBy(text => text.includes('%zz')),
    },
    {
      named: 'never answers a relative reference',
      breaks: 'validates',
      kind: 'silent',
      replace: { drops: message => textAt(message, 'params', 'uri') === '../x' },
    },
    {
      named: 'a path leads out of the listed files',
      breaks: 'validates',
      kind: 'accepted',
      verdict: 'warn',
      tamper: fileServer(uri => uri.includes('/../')),
    },
    {
      named: 'an encoded path leads out',
      breaks: 'validates',
      kind: 'accepted',
      verdict: 'warn',
      tamper: fileServer(uri => uri.includes('%2e%2e')),
    },
  ],
  variants: [
    { named: 'files, and nothing else', shows: ['validates'], tamper: fileServer(() => false) },
    {
      named: 'not found for whatever is no URI',
      shows: ['validates'],
      tamper: tampers.error(error => ({ ...error, code: -32002 })),
    },
    { named: 'no resource', tamper: tampers.result('resources/list', () => ({ resources: [] })) },
  ],
})

async function read(peer: ServerPeer, uri: string, options = {}): Promise<Reply> {
  return peer.request('resources/read', { uri }, options)
}

/** The same place above a listed file, written in two ways. */
function outsideOf(known: readonly string[]): string[] {
  const file = known.find(uri => /^file:\/\/[^?#]*\/[^?#]+$/.test(uri))
  if (file === undefined) return []
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return ['../', '%2e%2e%2f'].map(up => `${folder}${up.repeat(LEVELS)}${OUTSIDE}`)
}

/** That a file is served which nobody listed may be on purpose. */
function outcomeOf(uri: string, reply: Reply): Outcome {
  if (reply.kind !== 'result') return 'holds'
  const empty = at(reply.result, 'contents', 0) === undefined
  return empty || !UNREADABLE.includes(uri) ? 'bends' : 'breaks'
}

function answering(fits: (uri: string) => boolean, result: JsonObject): Tamper {
  return tampers.answer('resources/read', (message, cause) =>
    fits(textAt(cause, 'params', 'uri') ?? '') ? success(result)(message) : message,
  )
}

/** A server of one listed file, which it serves; others as `follows` says. */
function fileServer(follows: (uri: string) => boolean): Tamper {
  const listed = 'file:///srv/notes/today.md'
  const lists = tampers.result('resources/list', () => ({ resources: [{ uri: listed, name: 'today.md' }] }))
  const reads = answering(uri => uri === listed || follows(uri), { contents: [{ uri: listed, text: 'x' }] })
  return out => lists(out).flatMap(reads)
}
