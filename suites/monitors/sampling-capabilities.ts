import { askedIn, at, declaredIn, isObject, type JsonObject, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** What the client must have declared beside `sampling` itself (client/sampling#capabilities). */
export default monitor({
  title: 'Sampling uses tools and context only as far as the client declared them',
  needs: { since: '2025-11-25' },
  claims: {
    tools: 'sampling.tools.server-not-undeclared',
    context: 'sampling.context.needs-capability',
    avoids: 'sampling.context.avoid',
  },
  start: (): { declared: JsonObject | undefined } => ({ declared: undefined }),
  *see(state, frame) {
    state.declared = declaredIn(frame) ?? state.declared
    for (const { tools, toolChoice, includeContext } of askedIn(frame, 'sampling/createMessage')) {
      const uses = tools !== undefined || toolChoice !== undefined
      const shares = includeContext === 'thisServer' || includeContext === 'allServers'
      yield judge('avoids', !shares, 'no includeContext but none', frame, 'unasked')
      if (state.declared === undefined) continue
      const sampling = at(state.declared, 'sampling')
      const mayUse = isObject(at(sampling, 'tools'))
      const mayShare = isObject(at(sampling, 'context'))
      yield judge('tools', !uses || mayUse, 'tools only where they are declared', frame, 'unasked')
      yield judge('context', !shares || mayShare, 'context only where it is declared', frame, 'unasked')
    }
  },
  defects: [
    {
      named: 'offers tools to everybody',
      on: 'server/sampling/without-tools',
      breaks: 'tools',
      kind: 'unasked',
      replace: { samplesWithTools: () => true },
    },
    {
      named: 'asks for the context',
      on: 'server/sampling/plain',
      breaks: 'avoids',
      kind: 'unasked',
      tamper: including('thisServer'),
    },
    {
      named: 'asks for a context that nobody declared',
      on: 'server/sampling/without-tools',
      breaks: 'context',
      kind: 'unasked',
      also: ['avoids'],
      tamper: including('allServers'),
    },
  ],
  variants: [
    {
      named: 'uses the tools that are declared',
      on: 'server/sampling/with-tools',
      shows: ['tools', 'context', 'avoids'],
      tamper: including('none'),
    },
  ],
})

function including(includeContext: string) {
  return tampers.message(message =>
    message.method === 'sampling/createMessage' && isObject(message.params)
      ? { ...message, params: { ...message.params, includeContext } }
      : message,
  )
}
