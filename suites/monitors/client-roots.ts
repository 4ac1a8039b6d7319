import {
  at,
  followResults,
  isObject,
  isUri,
  type Json,
  type JsonObject,
  judge,
  monitor,
  tampers,
} from '../../src/suite/monitor.ts'

const ON = 'client/roots/answers'

/** The list of roots, whenever it is asked for (client/roots#root). Its shape is a matter of monitors/schema. */
export default monitor({
  title: 'Each root of the client has a file URI of its own',
  sides: ['client'],
  claims: {
    scheme: 'roots.root.uri-file-scheme',
    unique: 'roots.root.uri-unique',
  },
  start: () => ({ resultsIn: followResults('roots/list') }),
  *see({ resultsIn }, frame) {
    for (const { result } of resultsIn(frame)) {
      const roots = at(result, 'roots')
      const entries = (Array.isArray(roots) ? roots : []).filter(isObject)
      const uris = entries.map(({ uri }) => uri).filter(uri => typeof uri === 'string')
      for (const uri of uris) {
        const got = { text: uri, frames: [frame] }
        yield judge('scheme', fitsFile(uri), 'a file:// URI', got, {
          kind: uri.startsWith('file://') ? 'malformed' : 'wrong-value',
          subject: uri,
        })
      }
      const unique = new Set(entries.map(({ uri }) => uri)).size === entries.length
      yield judge('unique', unique, 'another uri for each root', frame, 'duplicate')
    }
  },
  defects: [
    { named: 'a web address', kind: 'wrong-value', ...root('scheme', { uri: 'https://example.com/project' }) },
    { named: 'one slash', kind: 'wrong-value', ...root('scheme', { uri: 'file:/project' }) },
    { named: 'a plain path', kind: 'wrong-value', ...root('scheme', { uri: '/project' }) },
    {
      named: 'a Windows path behind file://',
      kind: 'malformed',
      ...root('scheme', { uri: 'file://H:\\Documents\\x' }),
    },
    {
      named: 'a blank as it is',
      kind: 'malformed',
      verdict: 'warn',
      ...root('scheme', { uri: 'file:///my project' }),
    },
    {
      named: 'a root twice',
      kind: 'duplicate',
      ...telling('unique', ({ roots }) => ({ roots: [...(roots as Json[]), ...(roots as Json[])] })),
    },
  ],
  variants: [
    { named: 'tells its roots', on: ON, shows: ['scheme', 'unique'], replace: {} },
    { named: 'tells changed roots', on: 'client/roots/changes', shows: ['scheme', 'unique'], replace: {} },
    { named: 'has none', on: ON, shows: ['unique'], tamper: tampers.result('roots/list', () => ({ roots: [] })) },
    {
      named: 'a root on another machine',
      on: ON,
      shows: ['scheme'],
      tamper: tampers.result('roots/list', () => ({ roots: [{ uri: 'file://server/share/x' }] })),
    },
  ],
})

/** What no URI may have in it is wrong; a blank or an accent as it is, where it should be escaped, is what most readers forgive. */
function fitsFile(uri: string): 'holds' | 'bends' | 'breaks' {
  if (!uri.startsWith('file://') || uri.includes('\\') || !URL.canParse(uri)) return 'breaks'
  return isUri(uri) ? 'holds' : 'bends'
}

function telling<C extends string>(breaks: C, change: (result: JsonObject) => JsonObject) {
  return { breaks, on: ON, tamper: tampers.result('roots/list', change) }
}

function root<C extends string>(breaks: C, entry: JsonObject) {
  return telling(breaks, () => ({ roots: [entry] }))
}
