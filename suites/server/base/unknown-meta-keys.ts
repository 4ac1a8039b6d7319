import {
  at,
  isObject,
  type Json,
  judge,
  refusal,
  serverScenario,
  type Tamper,
  tampers,
  unmet,
} from '../../../src/suite/server.ts'

/** Reserved by its second label and defined by nobody: a receiver must not conclude anything from its value. */
const RESERVED = 'io.modelcontextprotocol/x-unknown'

/** Each differs from the control by one key. */
const PROBES: { claim: 'reserved' | 'foreign'; key: string; value: Json }[] = [
  { claim: 'foreign', key: 'trace', value: 'x' },
  { claim: 'foreign', key: 'com.example.x-1/trace_id-2.3', value: { span: 1 } },
  { claim: 'reserved', key: RESERVED, value: 'text' },
  { claim: 'reserved', key: RESERVED, value: 7 },
  { claim: 'reserved', key: RESERVED, value: null },
  { claim: 'reserved', key: RESERVED, value: { nested: [true] } },
]

const LISTS = { tools: 'tools/list', resources: 'resources/list', prompts: 'prompts/list' }

export default serverScenario({
  title: 'Keys in _meta that a server does not know change nothing',
  claims: {
    reserved: 'base.meta.reserved-keys-no-assumptions',
    foreign: 'base.meta.is-object',
  },
  async *run(peer) {
    const list = Object.entries(LISTS).find(([capability]) => Object.hasOwn(peer.capabilities, capability))?.[1]
    for (const method of list === undefined ? ['ping'] : ['ping', list]) {
      const control = await peer.request(method, {}, { meta: {} })
      if (control.kind !== 'result') {
        yield unmet(`${method} with an empty _meta was not answered with a result`)
        continue
      }
      for (const { claim, key, value } of PROBES) {
        const reply = await peer.request(method, {}, { meta: { [key]: value } })
        const expected = `a result for ${method} with ${key}: ${JSON.stringify(value)} in _meta`
        yield judge(claim, reply.kind === 'result', expected, reply, {
          subject: `${method} with ${key}: ${JSON.stringify(value)}`,
        })
        if (reply.kind === 'none') return
      }
    }
  },
  defects: [
    {
      named: 'knows progressToken only',
      breaks: 'foreign',
      kind: 'refused',
      also: ['reserved'],
      tamper: refusing(key => key !== 'progressToken'),
    },
    {
      named: 'wants plain keys only',
      breaks: 'foreign',
      kind: 'refused',
      also: ['reserved'],
      tamper: refusing(key => key.includes('/')),
    },
    {
      named: 'takes what is reserved for an object',
      breaks: 'reserved',
      kind: 'refused',
      tamper: refusing((key, value) => key.startsWith('io.modelcontextprotocol/') && !isObject(value)),
    },
    {
      named: 'hangs on null at a reserved key',
      breaks: 'reserved',
      kind: 'silent',
      replace: { drops: message => at(message, 'params', '_meta', RESERVED) === null },
    },
  ],
  variants: [{ named: 'offers no feature', replace: { capabilities: {} } }],
})

/** Refuses requests with such a key in `_meta`. */
function refusing(fits: (key: string, value: Json | undefined) => boolean): Tamper {
  return tampers.message((message, cause) => {
    const meta = at(cause, 'params', '_meta')
    const refused = isObject(meta) && Object.entries(meta).some(([key, value]) => fits(key, value))
    if (!refused || message.result === undefined) return message
    return refusal(-32602, 'Unknown key in _meta')(message)
  })
}
