import {
  annotationProblem,
  at,
  followResults,
  type Json,
  type JsonObject,
  judge,
  type Kind,
  monitor,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

/** The results of prompts/get. What else a message consists of is a matter of monitors/schema. */
export default monitor({
  title: 'The annotations of a prompt message name a known audience, a priority from 0 to 1, and a timestamp',
  claims: { annotations: 'prompts.message.annotations' },
  unseen: 'n/a',
  start: () => followResults('prompts/get'),
  *see(follow, frame) {
    for (const { result } of follow(frame)) {
      const messages = at(result, 'messages')
      for (const message of Array.isArray(messages) ? messages : []) {
        const annotations = at(message, 'content', 'annotations')
        if (annotations === undefined) continue
        const { fit = 'holds', problem = 'all of that', ...fault } = annotationProblem(annotations) ?? {}
        const got = { text: `${problem}: ${JSON.stringify(annotations)}`, frames: [frame] }
        yield judge('annotations', fit, 'audience, priority and lastModified as the page has them', got, fault)
      }
    }
  },
  defects: [
    ...(
      [
        ['wrong-type', null],
        ['wrong-type', { audience: 'user' }],
        ['wrong-value', { audience: ['system'] }],
        ['wrong-value', { priority: 10 }],
      ] as [Kind, Json][]
    ).map(([kind, annotations]) => ({
      named: `the annotations are ${JSON.stringify(annotations)}`,
      on: 'server/prompts/get',
      breaks: 'annotations' as const,
      kind,
      tamper: saying({ type: 'text', text: 'x', annotations }),
    })),
    {
      named: 'the annotations are {"lastModified":"today"}',
      on: 'server/prompts/get',
      breaks: 'annotations',
      kind: 'malformed',
      verdict: 'info',
      tamper: saying({ type: 'text', text: 'x', annotations: { lastModified: 'today' } }),
    },
  ],
  variants: [
    {
      named: 'all annotations',
      on: 'server/prompts/get',
      shows: ['annotations'],
      tamper: saying({
        type: 'text',
        text: '',
        annotations: { audience: [], priority: 0, lastModified: '2025-11-25' },
      }),
    },
    { named: 'no message', on: 'server/prompts/get', tamper: tampers.result('prompts/get', () => ({ messages: [] })) },
  ],
})

function saying(content: JsonObject): Tamper {
  return tampers.result('prompts/get', () => ({ messages: [{ role: 'user', content }] }))
}
