/** The form that keys of `_meta` have to have (basic#meta). */

/** What the specification defines under its own prefix, in this revision or a later one. */
const DEFINED = new Set(
  [
    'related-task',
    'model-immediate-response',
    'protocolVersion',
    'clientInfo',
    'clientCapabilities',
    'serverInfo',
    'logLevel',
    'subscriptionId',
  ].map(name => `io.modelcontextprotocol/${name}`),
)
export type KeyClaim =
  | 'prefix'
  | 'labelStart'
  | 'labelEnd'
  | 'labelInside'
  | 'nameStart'
  | 'nameEnd'
  | 'nameInside'
  | 'reserved'
  | 'reservedBefore'

/** What the form of a key breaks or keeps: a prefix of labels with dots between them, a slash, and a name. */
export function* keyRules(key: string): Generator<[KeyClaim, boolean, string]> {
  const slash = key.indexOf('/')
  if (slash !== -1) {
    const labels = key.slice(0, slash).split('.')
    yield ['prefix', labels.every(label => label !== ''), 'labels with dots between them before the slash']
    for (const label of labels.filter(one => one !== '')) {
      yield ['labelStart', /^[A-Za-z]/.test(label), 'a label that starts with a letter']
      yield ['labelEnd', /[A-Za-z0-9]$/.test(label), 'a label that ends with a letter or a digit']
      yield ['labelInside', /^[A-Za-z0-9-]*$/.test(label.slice(1, -1)), 'letters, digits and hyphens inside a label']
    }
    // The second label decides; in 2025-06-18 it was the last but one.
    yield ['reserved', isFree(key, labels[1]), 'no key of its own under a prefix that is reserved for MCP']
    yield ['reservedBefore', isFree(key, labels.at(-2)), 'no key of its own under a prefix that is reserved for MCP']
  }
  const name = key.slice(slash + 1)
  if (name === '') return
  yield ['nameStart', /^[A-Za-z0-9]/.test(name), 'a name that starts with a letter or a digit']
  yield ['nameEnd', /[A-Za-z0-9]$/.test(name), 'a name that ends with a letter or a digit']
  yield ['nameInside', /^[A-Za-z0-9._-]*$/.test(name.slice(1, -1)), 'letters, digits, - _ and . inside a name']
}

const isFree = (key: string, label: string | undefined): boolean =>
  !['mcp', 'modelcontextprotocol'].includes(label ?? '') || DEFINED.has(key)
