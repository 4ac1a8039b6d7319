import { at, followResults, judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** The results of prompts/list. Types are a matter of monitors/schema. */
export default monitor({
  title: 'The name of a listed prompt is not empty',
  claims: { name: 'prompts.prompt.name-present' },
  unseen: 'n/a',
  start: () => followResults('prompts/list'),
  *see(follow, frame) {
    for (const { result } of follow(frame)) {
      const prompts = at(result, 'prompts')
      for (const prompt of Array.isArray(prompts) ? prompts : []) {
        const name = at(prompt, 'name')
        if (typeof name === 'string') yield judge('name', name !== '', 'a name that is not empty', frame)
      }
    }
  },
  defects: [
    {
      named: 'lists an empty name',
      on: 'server/prompts/list',
      breaks: 'name',
      kind: 'wrong-value',
      tamper: tampers.result('prompts/list', () => ({ prompts: [{ name: '' }] })),
    },
  ],
  variants: [
    {
      named: 'no prompt at all',
      on: 'server/prompts/list',
      tamper: tampers.result('prompts/list', () => ({ prompts: [] })),
    },
  ],
})
