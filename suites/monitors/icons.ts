import {
  at,
  type Fault,
  type Frame,
  isObject,
  type Json,
  type JsonObject,
  judge,
  monitor,
  type Outcome,
  tampers,
  theirMessages,
} from '../../src/suite/monitor.ts'

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates']
const ICON: JsonObject = { src: 'https://example.com/i.png' }
/** An icon may be long, where it is data: it is shown up to here. */
const SHOWN = 160
const SIZE = /^(?:\d+x\d+|any)$/

export default monitor({
  title: 'Icons have a source of a permitted kind, and members of the right type',
  sides: ['server', 'client'],
  needs: { since: '2025-11-25' },
  claims: {
    source: 'base.icons.src-required',
    kind: 'base.icons.src-kind',
    members: 'base.icons.optional-members',
  },
  unseen: 'n/a',
  start: () => undefined,
  *see(_state, frame) {
    for (const [subject, icons] of theirMessages(frame).flatMap(iconsIn)) {
      const all = shown(icons, frame)
      yield judge('source', Array.isArray(icons), 'icons that are an array', all, { kind: 'wrong-type', subject })
      for (const icon of Array.isArray(icons) ? icons : []) {
        const got = shown(icon, frame)
        const src = at(icon, 'src')
        const uri = typeof src === 'string' && URL.canParse(src) ? new URL(src) : undefined
        const kind = src === undefined ? 'missing' : typeof src === 'string' ? 'malformed' : 'wrong-type'
        yield judge('source', uri !== undefined, 'an absolute URI as src', got, { kind, subject })
        if (uri !== undefined)
          yield judge('kind', fitOf(uri), 'an https, http or base64 data URI', got, {
            kind: uri.protocol === 'data:' ? 'malformed' : 'wrong-value',
            subject,
          })
        if (!isObject(icon)) continue
        const { fit, fault = {} } = membersOf(icon)
        yield judge('members', fit, 'mimeType, sizes and theme as the schema has them', got, { ...fault, subject })
      }
    }
  },
  defects: [
    { named: 'a client with a single icon', breaks: 'source', kind: 'wrong-type', ...ofClient(ICON) },
    { named: 'a client with an icon without src', breaks: 'source', kind: 'missing', ...ofClient([{ theme: 'dark' }]) },
    { named: 'a client with a path as src', breaks: 'source', kind: 'malformed', ...ofClient([{ src: 'icon.png' }]) },
    {
      named: 'a client with a file',
      breaks: 'kind',
      kind: 'wrong-value',
      ...ofClient([{ src: 'file:///usr/share/i.png' }]),
    },
    {
      named: 'a client with http without s',
      breaks: 'kind',
      kind: 'wrong-value',
      verdict: 'warn',
      ...ofClient([{ src: 'http://example.com/i.png' }]),
    },
    {
      named: 'a client with sizes as a text',
      breaks: 'members',
      kind: 'wrong-type',
      ...ofClient([{ ...ICON, sizes: '48x48' }]),
    },
    {
      named: 'a client with a null as theme',
      breaks: 'members',
      kind: 'wrong-type',
      ...ofClient([{ ...ICON, theme: null }]),
    },
    {
      named: 'a single icon',
      on: 'server/lifecycle/handshake',
      breaks: 'source',
      kind: 'wrong-type',
      replace: withIcons({ src: 'https://example.com/i.png' }),
    },
    {
      named: 'an icon without src',
      on: 'server/lifecycle/handshake',
      breaks: 'source',
      kind: 'missing',
      replace: withIcons([{ mimeType: 'image/png' }]),
    },
    {
      named: 'a path as src, in a listed tool',
      on: 'server/base/tool-schemas',
      breaks: 'source',
      kind: 'malformed',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { type: 'object' }, icons: [{ src: '/icons/x.png' }] }],
      })),
    },
    {
      named: 'a file',
      on: 'server/lifecycle/handshake',
      breaks: 'kind',
      kind: 'wrong-value',
      replace: withIcons([{ src: 'file:///usr/share/i.png' }]),
    },
    {
      named: 'http without s',
      on: 'server/lifecycle/handshake',
      breaks: 'kind',
      kind: 'wrong-value',
      verdict: 'warn',
      replace: withIcons([{ src: 'http://example.com/i.png' }]),
    },
    {
      named: 'data that is not base64',
      on: 'server/lifecycle/handshake',
      breaks: 'kind',
      kind: 'malformed',
      replace: withIcons([{ src: 'data:image/svg+xml,<svg/>' }]),
    },
    {
      named: 'base64 with other characters',
      on: 'server/lifecycle/handshake',
      breaks: 'kind',
      kind: 'malformed',
      replace: withIcons([{ src: 'data:image/png;base64,iVBOR*' }]),
    },
    {
      named: 'sizes as a single text',
      on: 'server/lifecycle/handshake',
      breaks: 'members',
      kind: 'wrong-type',
      replace: withIcons([{ ...ICON, sizes: '48x48' }]),
    },
    {
      named: 'a size without height',
      on: 'server/lifecycle/handshake',
      breaks: 'members',
      kind: 'malformed',
      verdict: 'warn',
      replace: withIcons([{ ...ICON, sizes: ['48'] }]),
    },
    {
      named: 'another theme',
      on: 'server/lifecycle/handshake',
      breaks: 'members',
      kind: 'wrong-value',
      replace: withIcons([{ ...ICON, theme: 'blue' }]),
    },
    {
      named: 'a number as mimeType',
      on: 'server/lifecycle/handshake',
      breaks: 'members',
      kind: 'wrong-type',
      replace: withIcons([{ ...ICON, mimeType: 1 }]),
    },
  ],
  variants: [
    {
      named: 'a client with icons of all kinds',
      shows: ['source', 'kind', 'members'],
      ...ofClient([
        { ...ICON, mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'light' },
        { src: 'data:image/png;base64,iVBORw0KGgo=' },
      ]),
    },
    { named: 'a client without icons', on: 'client/lifecycle/opens', replace: {} },
    {
      named: 'icons with all members, and without any',
      on: 'server/lifecycle/handshake',
      shows: ['source', 'kind', 'members'],
      replace: withIcons([
        { ...ICON, mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark', 'x-own': 1 },
        { src: 'data:image/png;base64,iVBORw0KGgo=' },
      ]),
    },
    { named: 'no icon', on: 'server/lifecycle/handshake', replace: withIcons([]) },
    {
      named: 'icons in the data of users',
      on: 'server/base/tool-schemas',
      tamper: tampers.result('tools/list', () => ({
        tools: [{ name: 'test_x', inputSchema: { type: 'object', properties: { icons: {} } }, _meta: { icons: 7 } }],
      })),
    },
  ],
})

const shown = (value: Json, frame: Frame) => ({ text: JSON.stringify(value).slice(0, SHOWN), frames: [frame] })

/** The icons of the server or client itself, of what is listed, and of the links in what is returned, with their places. */
function iconsIn(message: Json): [place: string, icons: Json][] {
  const result = at(message, 'result')
  const blocks: [string, Json | undefined][] = [
    ...arrayAt(result, 'content').map((block): [string, Json] => ['result.content[]', block]),
    ...arrayAt(result, 'messages').map((one): [string, Json | undefined] => [
      'result.messages[].content',
      at(one, 'content'),
    ]),
  ]
  const holders: [string, Json | undefined][] = [
    ['result.serverInfo', at(result, 'serverInfo')],
    ['params.clientInfo', at(message, 'params', 'clientInfo')],
    ...LISTS.flatMap(list => arrayAt(result, list).map((entry): [string, Json] => [`result.${list}[]`, entry])),
    ...blocks.filter(([, block]) => at(block, 'type') === 'resource_link'),
  ]
  return holders.flatMap(([place, holder]): [string, Json][] => {
    const icons = at(holder, 'icons')
    return icons === undefined ? [] : [[`${place}.icons`, icons]]
  })
}

function arrayAt(value: Json | undefined, member: string): Json[] {
  const found = at(value, member)
  return Array.isArray(found) ? found : []
}

/** http is a kind that servers may give, but one that consumers are told to refuse. */
function fitOf(uri: URL): Outcome {
  if (uri.protocol === 'https:') return 'holds'
  if (uri.protocol === 'http:') return 'bends'
  if (uri.protocol !== 'data:') return 'breaks'
  const [head, data] = uri.pathname.split(',', 2)
  return /;base64$/i.test(head ?? '') && isBase64(data ?? '') ? 'holds' : 'breaks'
}

function isBase64(text: string): boolean {
  try {
    atob(decodeURIComponent(text))
    return true
  } catch {
    return false
  }
}

function membersOf({ mimeType, sizes = [], theme }: JsonObject): { fit: Outcome; fault?: Fault } {
  const typed =
    (mimeType === undefined || typeof mimeType === 'string') &&
    Array.isArray(sizes) &&
    sizes.every(size => typeof size === 'string') &&
    (theme === undefined || typeof theme === 'string')
  if (!typed) return { fit: 'breaks', fault: { kind: 'wrong-type' } }
  if (theme !== undefined && theme !== 'light' && theme !== 'dark') return { fit: 'breaks' }
  return { fit: sizes.every(size => SIZE.test(size)) ? 'holds' : 'bends', fault: { kind: 'malformed' } }
}

function withIcons(icons: Json) {
  return { serverInfo: { name: 'reference', version: '1', icons } }
}

/** The same of a client. */
function ofClient(icons: Json) {
  return { on: 'client/lifecycle/opens', replace: { clientInfo: () => ({ name: 'reference', version: '1', icons }) } }
}
