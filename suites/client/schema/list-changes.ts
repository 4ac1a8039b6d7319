import {
  at,
  clientScenario,
  endKind,
  fateOfClient,
  judge,
  type Reply,
  script,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const CHANGES = ['tools', 'prompts', 'resources'].map(list => `notifications/${list}/list_changed`)

/** While a tool runs, all lists change; nobody has subscribed to that, and nobody has to. */
const CHANGING = script({
  drive: { name: 'tools_call' },
  setup: () => ({
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
    },
  }),
  notes: (): { before?: Reply; after: { method: string; reply: Reply }[] } => ({ after: [] }),
  play(server, notes) {
    server.on('tools/call', async call => {
      notes.before ??= await call.ask('ping')
      for (const method of CHANGES) {
        await call.notify(method)
        const reply = await call.ask('ping')
        notes.after.push({ method, reply })
        if (reply.kind === 'none') break
      }
      return { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
    })
  },
})

export default clientScenario({
  title: 'The client survives list_changed notifications that it has not subscribed to',
  script: CHANGING,
  claims: { takes: 'schema.resources.list-changed-unsolicited' },
  *run(seen) {
    const { before, after } = seen.notes
    if (before === undefined) yield unmet(undone(seen, 'call a tool'))
    else if (before.kind === 'none') yield unmet('the client does not answer a ping while its call runs')
    else {
      for (const { method, reply } of after) {
        const got = reply.kind === 'none' && reply.why === 'closed' ? fateOfClient(seen) : reply
        yield judge('takes', reply.kind !== 'none', `an answer to the ping behind ${method}`, got, {
          kind: endKind(seen),
          subject: method,
        })
      }
    }
  },
  defects: CHANGES.map(method => ({
    named: `ends at ${method}`,
    breaks: 'takes' as const,
    kind: 'died' as const,
    replace: {
      notices: message => {
        if (at(message, 'method') === method) throw new Error('unexpected notification')
      },
    },
  })),
})
