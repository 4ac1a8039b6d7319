import { at, clientScenario, isObject, judge, RELATED_TASK, sent, tampers, unmet } from '../../../src/suite/client.ts'
import { CANCELLED, ENDING, FINISHED, OTHER } from './_ending-tasks.ts'
import { without } from './_received-tasks.ts'

const TOKENS = [CANCELLED, FINISHED, OTHER]

const CLAIMS = {
  token: 'tasks.progress.token-valid-for-lifetime',
  marked: 'tasks.related.on-all-messages',
} as const

export default clientScenario({
  title: 'Progress of a task of the client has the token of its request, and names the task',
  needs: { since: '2025-11-25' },
  script: ENDING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { taken, taskIds } = seen.notes
    if (taken.length === 0) return
    if (taskIds.length < TOKENS.length) {
      yield unmet('not all of the tasks came about')
      return
    }
    const progress = sent(seen, 'notifications/progress')
    const got = { text: 'no progress', frames: [seen.end.frame] }
    if (progress.length === 0)
      for (const claim of ['token', 'marked'] as const) yield judge(claim, 'n/a', 'progress', got)
    for (const { params, frame } of progress) {
      const index = TOKENS.indexOf(String(params.progressToken))
      yield judge('token', index >= 0, 'the token that came with the request', frame)
      const isMarked = at(params, '_meta', RELATED_TASK, 'taskId') === taskIds[index]
      // The token links progress to its task already.
      if (index >= 0)
        yield judge('marked', isMarked ? 'holds' : 'bends', `the task under ${RELATED_TASK}`, frame, 'missing')
    }
  },
  defects: [
    {
      named: 'the task has a token of its own',
      breaks: 'token',
      kind: 'wrong-value',
      tamper: tampers.message(message =>
        message.method === 'notifications/progress' && isObject(message.params)
          ? { ...message, params: { ...message.params, progressToken: 'token-of-the-client' } }
          : message,
      ),
    },
    {
      named: 'progress without the task',
      breaks: 'marked',
      kind: 'missing',
      verdict: 'warn',
      tamper: tampers.message(message => {
        if (message.method !== 'notifications/progress' || !isObject(message.params)) return message
        const { _meta: _, ...params } = message.params
        return { ...message, params }
      }),
    },
  ],
  variants: [
    {
      named: 'tasks without progress',
      tamper: tampers.message(message => (message.method === 'notifications/progress' ? undefined : message)),
    },
  ],
})
