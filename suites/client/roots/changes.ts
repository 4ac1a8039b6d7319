import {
  at,
  clientScenario,
  declaration,
  declared,
  inResult,
  type JsonObject,
  judge,
  type Reply,
  script,
  sent,
  tampers,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

/** The time for a change to be announced. */
const ANNOUNCED_MS = 5_000
const LOOK_MS = 20

const ANNOUNCEMENT = 'notifications/roots/list_changed'

/** Addresses as they are on several systems: what is no plain ASCII is escaped. */
const LISTS: JsonObject[][] = [
  [{ uri: 'file:///project', name: 'project' }],
  [{ uri: 'file:///project', name: 'project' }, { uri: 'file:///home/with%20blank/%C3%BC' }],
  [{ uri: 'file:///C:/Users/user/project', name: 'another' }],
]

interface Notes {
  /** what was told, and how many announcements there had been, before the first change and after each */
  stages: { announced: number; told: Reply }[]
}

const CHANGING = script({
  drive: {
    name: 'roots-change',
    client: { roots: LISTS[0] ?? [] },
    steps: [
      { request: 'tools/list' },
      { setRoots: LISTS[1] ?? [] },
      { request: 'tools/list' },
      { setRoots: LISTS[2] ?? [] },
      { request: 'tools/list' },
    ],
  },
  lastsMs: ANNOUNCED_MS,
  notes: (): Notes => ({ stages: [] }),
  play(server, { stages }) {
    server.on('tools/list', async call => {
      const { capabilities } = call.conversation
      if (capabilities.roots === undefined) return { result: { tools: [] } }
      const changes = stages.length
      const until = server.now() + ANNOUNCED_MS
      const promised = at(capabilities, 'roots', 'listChanged') === true
      const missed = !promised || stages.some(({ announced }, change) => announced < change)
      // Over HTTP it may be overtaken by the request behind it.
      while (!missed && announcements(server) < changes && !server.isOver && server.now() < until)
        await server.pause(LOOK_MS)
      stages.push({ announced: announcements(server), told: await call.ask('roots/list') })
      return { result: { tools: [] } }
    })
  },
})

const announcements = (server: Parameters<typeof sent>[0]): number => sent(server, ANNOUNCEMENT).length

export default clientScenario({
  title: 'The client announces each change of its roots',
  script: CHANGING,
  claims: { notify: 'roots.list-changed.notify', watches: 'roots.guideline.client-monitors-changes' },
  *run(seen) {
    const { stages } = seen.notes
    if (sent(seen, 'tools/list').length === 0) yield unmet(undone(seen, 'list the tools'))
    else if (declared(seen, 'roots')?.listChanged !== true) {
      const got = declaration(seen, 'it does not declare roots with listChanged')
      yield judge('notify', 'n/a', 'announcements', got)
      yield judge('watches', 'n/a', 'announcements', got)
    } else {
      let seenChanges = 0
      for (const [change, { announced, told }] of stages.entries()) {
        if (change === 0) continue
        const before = rootsIn(stages[change - 1]?.told)
        // Whether a driver can change the roots shows in the list; an announcement without any change says nothing.
        if (before === undefined || rootsIn(told) === before) continue
        seenChanges += 1
        const expected = `a ${ANNOUNCEMENT} for change ${change} within ${ANNOUNCED_MS / 1_000} s`
        const frames = sent(seen, ANNOUNCEMENT).map(({ frame }) => frame)
        const got = { text: `${announced} of them, and other roots than before`, frames: [...frames, ...told.frames] }
        const fault = { kind: 'missing', subject: `change ${change}` } as const
        yield judge('notify', announced >= change, expected, got, fault)
        yield judge('watches', announced >= change, expected, got, fault)
      }
      if (seenChanges === 0) yield unmet(undone(seen, 'change its roots'))
    }
  },
  defects: [
    {
      named: 'announces nothing',
      breaks: 'notify',
      kind: 'missing',
      also: ['watches'],
      replace: ({ roots }) => ({ roots: { ...roots, changed: () => [] } }),
    },
    {
      named: 'announces the first change only',
      breaks: 'watches',
      kind: 'missing',
      also: ['notify'],
      replace: ({ roots }) => {
        let changes = 0
        return {
          roots: {
            ...roots,
            changed: list => {
              changes += 1
              return changes === 1 ? roots.changed(list) : []
            },
          },
        }
      },
    },
  ],
  variants: [
    {
      named: 'does not promise to announce changes, and does not',
      tamper: tampers.message(message => {
        if (message.method === ANNOUNCEMENT) return []
        return message.method === 'initialize'
          ? { ...message, params: { ...(message.params as JsonObject), capabilities: { roots: {} } } }
          : message
      }),
    },
  ],
})

const rootsIn = (told: Reply | undefined): string | undefined => {
  const roots = inResult(told, 'roots')
  return roots === undefined ? undefined : JSON.stringify(roots)
}
