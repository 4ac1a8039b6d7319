import {
  at,
  type ClientDefect,
  clientScenario,
  codes,
  createdId,
  failure,
  guess,
  judge,
  tampers,
  unmet,
} from '../../../src/suite/client.ts'
import { GIVING, WISHED_ID } from './_giving-tasks.ts'
import { receiving, without } from './_received-tasks.ts'

const CLAIMS = {
  generated: 'tasks.id.generated-by-receiver',
  unique: 'tasks.id.unique',
  unguessable: 'tasks.security.unguessable-ids',
} as const

export default clientScenario({
  title: 'Each task gets a unique id, which the client generates and nobody can guess',
  needs: { since: '2025-11-25' },
  script: GIVING,
  claims: CLAIMS,
  *run(seen) {
    yield* without(seen, CLAIMS)
    const { courses, own, more, taken } = seen.notes
    if (taken.length === 0 || own === undefined) return
    // `task` may have further members, but a client need not accept one that is not defined.
    if (createdId(own) === undefined) yield unmet('no task came about for a request with a taskId of ours', 'generated')
    else yield judge('generated', createdId(own) !== WISHED_ID, 'an id that the client made up', own)
    const replies = [...courses.flatMap(({ created, bare }) => [created, bare]), ...more, own]
    const ids = replies.flatMap(reply => createdId(reply) ?? [])
    if (ids.length < 2) {
      yield unmet('fewer than two tasks came about', 'unique', 'unguessable')
      return
    }
    const got = { text: `the ids ${ids.join(', ')}`, frames: replies.flatMap(({ frames }) => frames) }
    yield judge('unique', new Set(ids).size === ids.length, 'each task under an id of its own', got, 'duplicate')
    const guessable = guess(ids)
    // Over stdio there is no other party that could guess.
    yield judge(
      'unguessable',
      seen.via === 'stdio' && guessable === 'breaks' ? 'bends' : guessable,
      'long ids without a pattern',
      got,
    )
  },
  defects: [
    {
      named: 'takes over the id of the server',
      breaks: 'generated',
      kind: 'wrong-value',
      replace: receiving({ id: params => at(params, 'task', 'taskId') ?? crypto.randomUUID() }),
    },
    {
      named: 'an id for each kind of request',
      breaks: 'unique',
      kind: 'duplicate',
      also: ['unguessable'],
      replace: receiving({ id: params => (params.messages === undefined ? 'task-of-the-user' : 'task-of-the-model') }),
    },
    ...(
      [
        ['counts its tasks', 'task-'],
        ['counts its tasks behind the time of its start', '1764500000000-'],
      ] as const
    ).flatMap(([named, prefix]): ClientDefect<'unguessable'>[] => {
      const fault = { named, breaks: 'unguessable', kind: 'wrong-value', replace: receiving(counting(prefix)) } as const
      return [
        { ...fault, via: 'http' },
        { ...fault, via: 'stdio', verdict: 'warn' },
      ]
    }),
  ],
  variants: [
    { named: 'short ids', bends: ['unguessable'], replace: receiving({ id: () => crypto.randomUUID().slice(0, 8) }) },
    {
      named: 'refuses members of task that it does not know',
      tamper: tampers.message((message, cause) =>
        at(cause, 'params', 'task', 'taskId') === undefined
          ? message
          : failure(message.id, codes.invalidParams, 'Unrecognized key: taskId'),
      ),
    },
  ],
})

function counting(prefix: string) {
  return () => {
    let count = 0
    return {
      id: () => {
        count += 1
        return `${prefix}${count}`
      },
    }
  }
}
