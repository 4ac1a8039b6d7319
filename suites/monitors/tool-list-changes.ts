import { at, isObject, judge, monitor, theirMessages } from '../../src/suite/monitor.ts'

const CHANGED = 'notifications/tools/list_changed'

export default monitor({
  title: 'Changes of the tool list are announced only by servers that said they would',
  claims: { declared: 'tools.list-changed.not-undeclared' },
  unseen: 'n/a',
  start: (): { promised: boolean | undefined } => ({ promised: undefined }),
  *see(state, frame) {
    for (const message of theirMessages(frame)) {
      const capabilities = at(message, 'result', 'capabilities')
      if (isObject(capabilities) && at(message, 'result', 'protocolVersion') !== undefined)
        state.promised = at(capabilities, 'tools', 'listChanged') === true
      if (at(message, 'method') !== CHANGED || state.promised === undefined) continue
      yield judge('declared', state.promised, `${CHANGED} only with tools.listChanged`, frame, 'unasked')
    }
  },
  defects: [
    ...[{ tools: {} }, { tools: { listChanged: false } }, {}].map(capabilities => ({
      named: `announces a change, and declares ${JSON.stringify(capabilities)}`,
      on: 'server/lifecycle/before-initialized',
      breaks: 'declared' as const,
      kind: 'unasked' as const,
      replace: { capabilities, ...announcing() },
    })),
  ],
  variants: [
    {
      named: 'announces what it promised',
      on: 'server/lifecycle/before-initialized',
      shows: ['declared'],
      replace: announcing(),
    },
  ],
})

function announcing() {
  return {
    greets: (when: 'answered' | 'initialized' | 'roots changed') =>
      when === 'initialized' ? [{ method: CHANGED }] : [],
  }
}
