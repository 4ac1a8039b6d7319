import { at, clientScenario, type HttpSeen, judge, script, undone, unmet } from '../../../src/suite/client.ts'
import { ADDED } from '../_add-numbers.ts'

const MOVED = '/moved'

interface Notes {
  redirected: HttpSeen[]
  followed: HttpSeen[]
}

/** The server has moved: the call is sent on, by a status that forbids a change of the method (RFC 9110 section 15.4). */
const MOVING = script({
  drive: { name: 'tools_call' },
  notes: (): Notes => ({ redirected: [], followed: [] }),
  setup: () => ({ calls: { add_numbers: () => ADDED } }),
  play(server, notes) {
    server.http.intercept = (request, responder) => {
      if (request.target === MOVED) {
        notes.followed.push(request)
        responder.head(404)
        responder.end()
        return true
      }
      if (request.method !== 'POST' || at(request.json, 'method') !== 'tools/call') return false
      notes.redirected.push(request)
      responder.head(notes.redirected.length === 1 ? 307 : 308, [['Location', MOVED]])
      responder.end()
      return true
    }
  },
})

export default clientScenario({
  title: 'A redirected POST does not become a GET',
  needs: { via: 'http' },
  script: MOVING,
  claims: { keeps: 'robustness.client.redirect-keeps-post' },
  *run(seen) {
    const { redirected, followed } = seen.notes
    const [first] = redirected
    if (first === undefined) {
      yield unmet(undone(seen, 'call a tool'))
      return
    }
    const changed = followed.find(({ method, body }) => method !== 'POST' || body === '')
    yield judge(
      'keeps',
      changed === undefined,
      'a POST with its body at the new place, or none',
      (changed ?? followed[0] ?? first).frames,
      changed?.method === 'POST' ? 'lost' : 'wrong-value',
    )
  },
  defects: [{ named: 'follows by GET', breaks: 'keeps', kind: 'wrong-value', replace: { follows: () => 'GET' } }],
  variants: [{ named: 'follows with the same method', replace: { follows: () => 'POST' } }],
})
