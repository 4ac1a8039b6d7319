import { clientScenario, codes, judge, type Reply, script, tampers, undone, unmet } from '../../../src/suite/client.ts'

const LISTENS_MS = 500

interface Notes {
  listed?: true
  reply?: Reply
}

/** A ping that belongs to no request of the client: only the GET stream can carry it. */
const UNSOLICITED = script({
  drive: { name: 'initialize' },
  notes: (): Notes => ({}),
  play(server, notes) {
    server.on('tools/list', async call => {
      notes.listed = true
      if (await call.conversation.listened(LISTENS_MS)) notes.reply = await call.conversation.ask('ping')
      return { result: { tools: [] } }
    })
  },
})

export default clientScenario({
  title: 'The client answers a ping that comes on its GET stream',
  needs: { via: 'http' },
  script: UNSOLICITED,
  claims: { answers: 'ping.initiate.either-side' },
  *run(seen) {
    const { listed, reply } = seen.notes
    if (listed !== true) yield unmet(undone(seen, 'list the tools'))
    else if (reply === undefined)
      yield judge('answers', 'n/a', 'only judged where the client listens', {
        text: 'it opens no GET stream',
        frames: [seen.end.frame],
      })
    else yield judge('answers', reply.kind === 'result', 'a result', reply)
  },
  defects: [
    {
      named: 'no ping handler',
      breaks: 'answers',
      kind: 'refused',
      tamper: tampers.refuse('ping', codes.methodNotFound, 'Method not found'),
    },
    { named: 'is deaf on its GET stream', breaks: 'answers', kind: 'silent', replace: { drops: () => true } },
  ],
  variants: [{ named: 'does not listen', replace: { listens: false } }],
})
