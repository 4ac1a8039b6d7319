import {
  at,
  type ClientRun,
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  type Json,
  judge,
  type Outcome,
  script,
  sent,
  shookHands,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADD_NUMBERS } from '../_add-numbers.ts'

/** As the schema has them, and hostile by their content. */
const HOSTILE: Json[] = [
  { src: 'data:image/png;base64,%%%not-base64%%%', mimeType: 'image/png', sizes: ['48x48'] },
  { src: 'data:image/svg+xml;base64,PHN2Zz48c2NyaXB0Lz48L3N2Zz4=', sizes: ['any'], theme: 'dark' },
  { src: 'javascript:alert(1)', mimeType: '../../../etc/passwd', sizes: ['999999999x999999999', '-1x-1'] },
  { src: 'file:///etc/passwd' },
  { src: 'https://mcp-conformance.invalid/none.png' },
]

const ADORNED = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    serverInfo: { name: 'mcp-conformance', version: '0.1.0', icons: HOSTILE },
    handlers: { 'tools/list': () => ({ result: { tools: [{ ...ADD_NUMBERS, icons: HOSTILE }] } }) },
  }),
})

/** Only what shows outside is judged: whether a client survives the icons of its server. */
export default clientScenario({
  title: 'The client survives hostile icons of the server and of its tools',
  script: ADORNED,
  claims: { untrusted: 'base.icons.treat-as-untrusted' },
  *run(seen) {
    if (sent(seen, 'initialize').length === 0) yield unmet(undone(seen, 'send initialize'))
    else {
      const outcome = outcomeOf(seen)
      const kind = outcome === 'bends' ? 'refused' : endKind(seen)
      yield judge('untrusted', outcome, 'a session that goes on to the call of the tool', fateOfClient(seen), kind)
    }
  },
  defects: [
    {
      named: 'crashes at broken base64',
      breaks: 'untrusted',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('not-base64')) throw new RangeError('invalid character')
        },
      },
    },
    {
      named: 'makes room for absurd sizes of a tool',
      breaks: 'untrusted',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(at(message, 'result', 'tools') ?? '').includes('999999999'))
            throw new RangeError('Array buffer allocation failed')
        },
      },
    },
  ],
  variants: [
    {
      named: 'does not take a server with unsafe icons',
      bends: ['untrusted'],
      replace: {
        acceptsVersion: () => false,
      },
    },
  ],
})

/** To refuse the item, or even the server, is tolerated; to crash or hang is the fault. */
function outcomeOf(seen: ClientRun): Outcome {
  if (sent(seen, 'tools/call').length > 0) return crashed(seen) ? 'breaks' : 'holds'
  if (crashed(seen) || seen.end.how === 'stopped') return 'breaks'
  // A client that ends with success has perhaps not been told to call anything.
  return shookHands(seen) && seen.end.code === 0 ? 'holds' : 'bends'
}
