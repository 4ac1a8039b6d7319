import {
  clientScenario,
  crashed,
  endKind,
  fateOfClient,
  type Json,
  judge,
  response,
  script,
  sent,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { ADD_NUMBERS } from '../_add-numbers.ts'

/** Not as the schema has them: wrong types, no `src`, no object. */
const MISTYPED: Json[] = [{ src: 7, mimeType: [], sizes: '48x48', theme: 5 }, {}, 'icon', null]

const MISTYPING = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    handlers: {
      'tools/list': async call => {
        const odd = { name: 'odd', inputSchema: { type: 'object' }, icons: MISTYPED }
        await call.push(response(call.id, { tools: [ADD_NUMBERS, odd] }), { intended: 'fault' })
        return { messages: [] }
      },
    },
  }),
})

export default clientScenario({
  title: 'The client survives icons of the wrong type',
  script: MISTYPING,
  claims: { untrusted: 'base.icons.treat-as-untrusted' },
  *run(seen) {
    const [list] = sent(seen, 'tools/list')
    if (list === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const lost = crashed(seen) || seen.end.how === 'stopped'
    const called = sent(seen, 'tools/call').length > 0
    // To report that the whole list is invalid costs the other tools, and no more.
    const refused = !called && (seen.steps.get(0)?.outcome === 'error' || seen.end.code !== 0)
    const expected = 'the icons or their tool left out, and the session alive'
    const outcome = lost ? 'breaks' : refused ? 'bends' : 'holds'
    yield judge('untrusted', outcome, expected, fateOfClient(seen), lost ? endKind(seen) : 'refused')
  },
  defects: [
    {
      named: 'trips over a number as src',
      breaks: 'untrusted',
      kind: 'died',
      replace: {
        notices: message => {
          if (JSON.stringify(message).includes('"src":7')) throw new TypeError('src.startsWith is not a function')
        },
      },
    },
  ],
  variants: [
    {
      named: 'refuses the list',
      bends: ['untrusted'],
      replace: { parse: text => (text.includes('"src":7') ? undefined : JSON.parse(text)), timeoutMs: 150 },
    },
  ],
})
