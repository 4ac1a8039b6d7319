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

/** The list of roots, whenever it is asked for (client/roots#root). */
export default monitor({
  title: 'Each root of the client has a file URI of its own, and perhaps a name',
  sides: ['client'],
  claims: {
    shape: 'roots.list.result-shape',
    scheme: 'roots.root.uri-file-scheme',
    unique: 'roots.root.uri-unique',
    name: 'roots.root.name-optional',
  },
  start: () => ({ resultsIn: followResults('roots/list') }),
  *see({ resultsIn }, frame) {
    for (const { result } of resultsIn(frame)) {
      const roots = at(result, 'roots')
      const entries = (Array.isArray(roots) ? roots : []).filter(isObject)
      const isList = Array.isArray(roots) && entries.length === roots.length
      const whole = isList && entries.every(({ uri }) => typeof uri === 'string')
      yield judge('shape', whole, 'a list of roots, each with a uri', frame)
      for (const { uri, name } of entries) {
        yield judge('name', name === undefined || typeof name === 'string', 'a text as name, or none', frame)
        if (typeof uri === 'string') yield judge('scheme', fitsFile(uri), `a file:// URI, got ${uri}`, frame)
      }
      const uris = entries.map(({ uri }) => uri)
      yield judge('unique', new Set(uris).size === uris.length, 'another uri for each root', frame)
    }
  },
  defects: [
    { named: 'no list', ...telling('shape', () => ({ roots: {} })) },
    { named: 'paths in place of roots', ...telling('shape', () => ({ roots: ['/project'] })) },
    { named: 'a root without uri', ...telling('shape', () => ({ roots: [{ name: 'project' }] })) },
    { named: 'null for none', ...telling('shape', () => ({ roots: null })) },
    { named: 'a web address', ...root('scheme', { uri: 'https://example.com/project' }) },
    { named: 'one slash', ...root('scheme', { uri: 'file:/project' }) },
    { named: 'a plain path', ...root('scheme', { uri: '/project' }) },
    { named: 'a Windows path behind file://', ...root('scheme', { uri: 'file://H:\\Documents\\x' }) },
    { named: 'a blank as it is', ...root('scheme', { uri: 'file:///my project' }) },
    {
      named: 'a root twice',
      ...telling('unique', ({ roots }) => ({ roots: [...(roots as Json[]), ...(roots as Json[])] })),
    },
    { named: 'null as a name', ...root('name', { uri: 'file:///project', name: null }) },
    { named: 'names in two languages', ...root('name', { uri: 'file:///project', name: { en: 'project' } }) },
  ],
  variants: [
    { named: 'tells its roots', on: ON, shows: ['shape', 'scheme', 'unique', 'name'], replace: {} },
    { named: 'tells changed roots', on: 'client/roots/changes', shows: ['scheme', 'unique', 'name'], replace: {} },
    { named: 'has none', on: ON, shows: ['shape'], tamper: tampers.result('roots/list', () => ({ roots: [] })) },
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
