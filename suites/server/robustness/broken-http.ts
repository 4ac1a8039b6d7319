import { type HttpReply, judge, request, serverScenario, unmet } from '../../../src/suite/server.ts'

export default serverScenario({
  title: 'After a request that is no HTTP, or ends early, the next ping is answered',
  needs: { via: 'http' },
  session: 'fresh',
  // A server that these bring down would take the scenarios beside this one with it.
  harmful: true,
  claims: { survives: 'robustness.http.malformed-request' },
  async *run(peer) {
    if (!(await peer.settle()).alive) {
      yield unmet('ping is not answered to begin with')
      return
    }
    for (const [what, bytes] of brokenRequests(pathOf(peer.opening?.http))) {
      await peer.socket(bytes, peer.timeouts.watchMs)
      const probe = await peer.settle()
      yield judge('survives', probe.alive, `an answer to the ping behind ${what}`, probe, { subject: what })
      if (!probe.alive) return
    }
  },
  defects: [
    {
      named: 'a request that breaks off ends the conversation',
      breaks: 'survives',
      kind: 'stuck',
      replace: brokenBy(3),
    },
    { named: 'text that is no HTTP ends the conversation', breaks: 'survives', kind: 'stuck', replace: brokenBy(1) },
  ],
  variants: [{ named: 'answers in JSON', replace: { answerBy: () => 'json' } }],
})

const PING = JSON.stringify(request('never-whole', 'ping'))

const brokenRequests = (path: string): [what: string, bytes: string][] => [
  ['text that is no HTTP', 'hello\r\n\r\n'],
  ['JSON without HTTP', `${PING}\n`],
  ['a head that ends early', `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Ty`],
  [
    'a body that is shorter than its Content-Length',
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n${PING}`,
  ],
]

/** The path of the endpoint, from the request that opened the session. */
function pathOf(opening: HttpReply | undefined): string {
  const head = opening?.frames.find(frame => frame.kind === 'http' && frame.from === 'us')
  return (head?.kind === 'http' ? head.start.split(' ')[1] : undefined) ?? '/'
}

/** Answers nothing any more after so many broken requests. */
function brokenBy(count: number) {
  return () => {
    let broken = 0
    return {
      onBrokenRequest: () => {
        broken += 1
      },
      drops: (message: { method?: unknown }) => broken >= count && message.method !== 'initialize',
    }
  }
}
