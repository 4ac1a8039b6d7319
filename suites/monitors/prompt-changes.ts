import { at, isObject, type JsonObject, judge, monitor, theirMessages } from '../../src/suite/monitor.ts'

const NOTICE = 'notifications/prompts/list_changed'

interface State {
  /** what the server declared; undefined before the handshake */
  declared: JsonObject | undefined
  announced: boolean
}

/** That the switch is needed is implied by what it says, and the schema calls the notification unsolicited. */
export default monitor({
  title: 'Changes of the prompts are announced only by servers that declared prompts and listChanged',
  claims: {
    undeclared: 'prompts.list-changed.not-undeclared',
    negotiated: 'prompts.negotiation.respected',
  },
  start: (): State => ({ declared: undefined, announced: false }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const declared = at(message, 'result', 'capabilities')
      if (isObject(declared) && at(message, 'result', 'protocolVersion') !== undefined) state.declared = declared
      if (at(message, 'method') !== NOTICE || state.declared === undefined) continue
      state.announced = true
      const announces = at(state.declared, 'prompts', 'listChanged') === true
      yield judge('undeclared', announces, 'the notification only where prompts.listChanged is true', frame, 'unasked')
      const offers = state.declared.prompts !== undefined
      yield judge('negotiated', offers, 'the notification only where prompts are declared', frame, 'unasked')
    }
  },
  *end({ declared, announced }) {
    if (declared === undefined || announced) return
    const got = { text: 'no such notification', frames: [] }
    const may = at(declared, 'prompts', 'listChanged') === true
    yield judge('undeclared', may ? 'n/a' : 'holds', 'none without prompts.listChanged', got)
    yield judge('negotiated', declared.prompts === undefined ? 'holds' : 'n/a', 'none without prompts', got)
  },
  defects: [
    {
      named: 'announces changes without the switch',
      on: 'server/lifecycle/before-initialized',
      breaks: 'undeclared',
      kind: 'unasked',
      replace: { capabilities: { prompts: {} }, ...announcing() },
    },
    {
      named: 'announces changes that it said it would not',
      on: 'server/lifecycle/before-initialized',
      breaks: 'undeclared',
      kind: 'unasked',
      replace: { capabilities: { prompts: { listChanged: false } }, ...announcing() },
    },
    {
      named: 'announces changes of prompts that it does not have',
      on: 'server/lifecycle/before-initialized',
      breaks: 'negotiated',
      kind: 'unasked',
      also: ['undeclared'],
      replace: { capabilities: { tools: { listChanged: true } }, ...announcing() },
    },
  ],
  variants: [
    {
      named: 'announces what it declared',
      on: 'server/lifecycle/before-initialized',
      shows: ['undeclared', 'negotiated'],
      replace: announcing(),
    },
    {
      named: 'declares nothing and announces nothing',
      on: 'server/lifecycle/before-initialized',
      shows: ['undeclared', 'negotiated'],
      replace: { capabilities: {} },
    },
  ],
})

function announcing() {
  return { greets: (when: string) => (when === 'initialized' ? [{ method: NOTICE }] : []) }
}
