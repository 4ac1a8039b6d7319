import {
  clientScenario,
  fateOfStep,
  judge,
  judgeTaken,
  naiveEvents,
  sent,
  stepKind,
  tampers,
  took,
  undone,
  unmet,
} from '../../../src/suite/client.ts'
import { STREAMING } from './_event-streams.ts'

/** Our pings in the stream of a request show what of it was read, and the request itself whether it ended well. */
export default clientScenario({
  title: 'The client reads event streams in every form, and answers what comes in them',
  needs: { via: 'http' },
  script: STREAMING,
  claims: {
    reads: 'transport-http.post.client-supports-sse',
    before: 'transport-http.sse.messages-before-response',
    ids: 'transport-http.resume.event-ids-optional',
    utf8: 'transport-http.encoding.utf8',
  },
  *run(seen) {
    const listing = sent(seen, 'tools/list')[0]
    if (listing === undefined) {
      yield unmet(undone(seen, 'list the tools'))
      return
    }
    const calling = sent(seen, 'tools/call')[0]
    const listed = took(seen, 0, calling)
    const [control] = seen.notes.asked
    const heard = control?.reply.kind !== 'none'
    if (heard || listed !== undefined)
      yield judge(
        'reads',
        heard || listed === true,
        'the event stream is read',
        fateOfStep(seen, 0, calling),
        stepKind(seen, 0),
      )
    if (control === undefined || (!heard && listed !== true)) {
      yield unmet('the client does not read event streams', 'before', 'ids', 'utf8')
      return
    }
    yield judge('before', heard, 'an answer to the ping before the response', control.reply)
    if (!heard) return
    for (const { what, named, reply } of seen.notes.asked.slice(1)) {
      const claim = what === 'ids' ? 'ids' : what === 'utf8' ? 'utf8' : 'reads'
      // MCP names no types of events: a client may treat another type as it likes, as long as it goes on.
      const wrong = what === 'other event' ? 'bends' : 'breaks'
      yield judge(claim, reply.kind === 'none' ? wrong : 'holds', `a ping is read: ${named}`, reply, { subject: named })
    }
    if (seen.notes.asked.some(({ reply }) => reply.kind === 'none')) return
    if (listed !== undefined) {
      const how = 'the response is taken: CR LF, comments, several lines, small pieces'
      yield judge(
        'before',
        listed,
        'the response is taken behind a notification and pings',
        fateOfStep(seen, 0, calling),
        stepKind(seen, 0),
      )
      yield judge('reads', listed, how, fateOfStep(seen, 0, calling), stepKind(seen, 0))
    }
    // No server has a reason to write one: a client that fails here still reads all that servers send.
    const expected = 'the response is taken behind a byte order mark'
    if (calling !== undefined)
      yield* judgeTaken('reads', seen, { step: 1, expected, subject: 'a byte order mark', wrong: 'bends' })
  },
  defects: [
    {
      named: 'reads JSON only',
      breaks: 'reads',
      kind: 'refused',
      replace: { reads: type => type === 'application/json' },
    },
    { named: 'looks for two LF', breaks: 'reads', kind: 'silent', replace: { events: naiveEvents({ ends: '\n\n' }) } },
    {
      named: 'takes the first line of data for all of it',
      breaks: 'reads',
      kind: 'silent',
      replace: { events: naiveEvents({ joins: lines => lines[0] ?? '' }) },
    },
    {
      named: 'insists on the blank',
      breaks: 'reads',
      kind: 'silent',
      replace: { events: naiveEvents({ colon: ': ' }) },
    },
    {
      named: 'takes an event of another type for a message, and stumbles',
      breaks: 'reads',
      kind: 'died',
      verdict: 'warn',
      replace: {
        dispatches: event => {
          if (event === 'heartbeat') throw new Error('this is no message')
          return true
        },
      },
    },
    {
      named: 'answers nothing before it has its response',
      breaks: 'before',
      kind: 'silent',
      replace: { answersWhilePending: false },
    },
    {
      named: 'throws away the stream whose response is not the first message',
      breaks: 'before',
      kind: 'silent',
      also: ['reads'],
      tamper: tampers.answer('ping', () => []),
    },
    {
      named: 'cannot do without ids once there was one',
      breaks: 'ids',
      kind: 'silent',
      replace: () => {
        let last: string | undefined
        return {
          events: naiveEvents({
            drops({ id }) {
              const isMissed = last !== undefined && id === undefined
              last = id
              return isMissed
            },
          }),
        }
      },
    },
    {
      named: 'decodes each piece by itself',
      breaks: 'utf8',
      kind: 'silent',
      replace: { events: naiveEvents({ decodes: 'each piece' }) },
    },
  ],
})
