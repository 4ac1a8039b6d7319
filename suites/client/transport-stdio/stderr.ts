import {
  clientScenario,
  crashed,
  fateOfClient,
  judge,
  script,
  sent,
  shookHands,
  stepKind,
  undone,
  unmet,
} from '../../../src/suite/client.ts'

const LIST = 0
const CALL = 1
/** Sixteen times what a pipe holds: a client that does not read it blocks the server. */
const LINES = 16_384
const LINE = `${'debug: the server is talkative today, and says it all on stderr'.padEnd(63)}\n`
const SETTLES_MS = 150

/** A server that writes to stderr before the handshake, and much more of it later. */
const NOISY = script({
  drive: { name: 'tools_call' },
  setup: () => ({ stdio: { complains: 'ERROR: something went wrong, but not really\n' } }),
  play(server) {
    server.on('tools/list', async call => {
      await call.conversation.complain('ERROR: again\n')
      await server.pause(SETTLES_MS)
      return {
        result: {
          tools: [
            {
              name: 'add_numbers',
              inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
            },
          ],
        },
      }
    })
    server.on('tools/call', async call => {
      await call.conversation.complain(LINE.repeat(LINES))
      await server.pause(SETTLES_MS)
      return { result: { content: [{ type: 'text', text: 'The sum is 8' }] } }
    })
  },
})

export default clientScenario({
  title: 'The client does not treat output on stderr as a failure, and reads all of it',
  needs: { via: 'stdio' },
  script: NOISY,
  claims: {
    calm: 'transport-stdio.stderr.not-error-signal',
    reads: 'transport-stdio.stderr.server-may-log',
  },
  *run(seen) {
    const [call] = sent(seen, 'tools/call')
    const list = sent(seen, 'tools/list')[0]
    const fate = fateOfClient(seen)
    const listed = seen.steps.get(LIST)
    if (!shookHands(seen) && seen.end.how === 'exited' && (seen.end.code ?? 1) === 0) {
      yield unmet(undone(seen, 'open a session'))
      return
    }
    if (list !== undefined && call === undefined && listed?.outcome === 'result') {
      yield unmet(undone(seen, 'call the tool'))
      return
    }
    yield judge(
      'calm',
      call !== undefined && listed?.outcome !== 'error',
      'a session that goes on',
      call?.frame ?? fate,
      stepKind(seen, LIST),
    )
    if (call === undefined) {
      yield unmet('the session did not last until then', 'reads')
      return
    }
    const told = seen.steps.get(CALL)
    const good =
      !crashed(seen) &&
      seen.end.how === 'exited' &&
      (told === undefined ? seen.end.code === 0 : told.outcome === 'result')
    yield judge(
      'reads',
      good,
      'the answer to the call behind 1 MiB on stderr',
      {
        text: told === undefined ? fate.text : `it reports: ${told.message ?? told.outcome}`,
        frames: [call.frame, seen.end.frame],
      },
      stepKind(seen, CALL),
    )
  },
  defects: [
    {
      named: 'takes ERROR for the end',
      breaks: 'calm',
      kind: 'died',
      replace: { failsOnStderr: text => text.includes('ERROR') },
    },
    {
      named: 'has had enough at some point',
      breaks: 'reads',
      kind: 'refused',
      replace: { failsOnStderr: text => text.length > 10_000 },
    },
  ],
})
