import { at, clientScenario, isObject, judge, sent, tampers, textAt, undone, unmet } from '../../../src/suite/client.ts'
import { calling } from './_called-tasks.ts'
import { COURSES, FOLLOWING, FORBIDDEN, SILENT } from './_following-tasks.ts'

export default clientScenario({
  title: 'The client calls a tool as a task only where its execution.taskSupport allows it, with a well-formed task',
  needs: { since: '2025-11-25' },
  script: FOLLOWING,
  claims: {
    forbidden: 'tasks.tool.client-not-when-forbidden',
    param: 'tasks.create.task-param-object',
    ttl: 'tasks.create.ttl-optional',
  },
  *run(seen) {
    const calls = sent(seen, 'tools/call')
    const isTask = ({ params }: (typeof calls)[number]): boolean => params.task !== undefined
    const of = (name: string) => calls.filter(({ params }) => params.name === name)
    if (sent(seen, 'tools/list').length === 0) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const asked = calls.filter(isTask)
    // The control: it can call tools as tasks, where they may be.
    if (!asked.some(({ params }) => Object.hasOwn(COURSES, textAt(params, 'name') ?? ''))) {
      yield unmet(undone(seen, 'call tools as tasks that may be called as such'), 'forbidden')
    } else {
      for (const tool of [FORBIDDEN, SILENT]) {
        const all = of(tool)
        const wrong = all.filter(isTask)
        const frames = (wrong.length > 0 ? wrong : all).map(({ frame }) => frame)
        const got = frames.length > 0 ? frames : { text: 'it did not call it at all', frames: [seen.end.frame] }
        const fault = { kind: 'unasked', subject: tool } as const
        yield judge('forbidden', wrong.length === 0, 'no task for tools that allow none', got, fault)
      }
    }
    if (asked.length === 0) yield unmet(undone(seen, 'call a tool as a task'), 'param', 'ttl')
    for (const { params, frame } of asked) {
      const { task } = params
      yield judge('param', isObject(task), 'task as an object', frame, 'wrong-type')
      const ttl = at(task, 'ttl')
      const fits = ttl === undefined || (typeof ttl === 'number' && ttl >= 0)
      const kind = typeof ttl === 'number' ? 'wrong-value' : 'wrong-type'
      if (isObject(task)) yield judge('ttl', fits, 'a ttl in milliseconds, or none', frame, kind)
    }
  },
  defects: [
    {
      named: 'calls anything as a task',
      breaks: 'forbidden',
      kind: 'unasked',
      replace: calling({ asTask: ({ declared }) => declared }),
    },
    {
      named: 'takes what is not forbidden as allowed',
      breaks: 'forbidden',
      kind: 'unasked',
      replace: calling({
        asTask: ({ wanted, taskSupport }) => taskSupport === 'required' || (wanted && taskSupport !== 'forbidden'),
      }),
    },
    ...[true, null, 60_000].map(task => ({
      named: `task: ${task}`,
      breaks: 'param' as const,
      kind: 'wrong-type' as const,
      tamper: tampers.message(message =>
        isObject(message.params) && isObject(message.params.task)
          ? { ...message, params: { ...message.params, task } }
          : message,
      ),
    })),
    {
      named: 'the ttl as text',
      breaks: 'ttl',
      kind: 'wrong-type',
      replace: calling({ params: (params, task) => ({ ...params, task: { ...task, ttl: '60000' } }) }),
    },
    {
      named: 'a ttl below zero',
      breaks: 'ttl',
      kind: 'wrong-value',
      replace: calling({ params: (params, task) => ({ ...params, task: { ...task, ttl: -1 } }) }),
    },
  ],
  variants: [{ named: 'no ttl', replace: calling({ params: params => ({ ...params, task: {} }) }) }],
})
