import {
  clientScenario,
  idKey,
  isObject,
  type Json,
  judge,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { SAMPLING, TOKENS } from './_sampling-progress.ts'

export default clientScenario({
  title: 'The client reports progress with the token of the request, type and value',
  script: SAMPLING,
  claims: { echoes: 'progress.notify.echo-token' },
  *run(seen) {
    if (seen.notes.replies === undefined) {
      yield unmet(undone(seen, 'declare sampling and list the tools'))
      return
    }
    const reports = sent(seen, 'notifications/progress')
    if (reports.length === 0) {
      // It is free to tell nothing.
      yield unmet('the client tells no progress')
      return
    }
    const known = TOKENS.map(idKey)
    for (const { params, frame } of reports)
      yield judge(
        'echoes',
        known.includes(idKey(params.progressToken)),
        `one of the tokens ${known.join(' and ')}, type and value`,
        frame,
        TOKENS.map(String).includes(String(params.progressToken)) ? 'wrong-type' : 'wrong-value',
      )
  },
  defects: [
    { named: 'turns tokens into text', breaks: 'echoes', kind: 'wrong-type', ...retoken(String) },
    {
      named: 'takes the id of the request',
      breaks: 'echoes',
      kind: 'wrong-value',
      ...retoken((_token, id) => id ?? null),
    },
  ],
  variants: [{ named: 'tells nothing', replace: { reports: () => [] } }],
})

function retoken(rename: (token: Json | undefined, id: Json | undefined) => Json) {
  return {
    tamper: tampers.message((message, cause) =>
      message.method === 'notifications/progress' && isObject(message.params)
        ? { ...message, params: { ...message.params, progressToken: rename(message.params.progressToken, cause?.id) } }
        : message,
    ),
  }
}
