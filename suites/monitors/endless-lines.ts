import { judge, monitor, tampers } from '../../src/suite/monitor.ts'

/** Just above the 16 MiB at which a line counts as endless. */
const ENDLESS = 'x'.repeat(16 * 1024 * 1024 + 1)

export default monitor({
  title: 'Every line on stdout ends',
  needs: { via: 'stdio' },
  claims: { bounded: 'robustness.output.bounded-lines' },
  start: () => undefined,
  *see(_state, frame) {
    if (frame.kind !== 'message' || frame.from !== 'them') return
    yield judge('bounded', frame.flaw !== 'too-long', 'a newline within 16 MiB', frame, 'missing')
  },
  defects: [
    {
      named: 'a line without end',
      on: 'server/ping/answers',
      breaks: 'bounded',
      kind: 'missing',
      tamper: tampers.output((text, message) =>
        typeof message === 'object' && JSON.stringify(message).includes('"result":{}') ? ENDLESS : text,
      ),
    },
  ],
  variants: [
    {
      named: 'a line of 1 MiB',
      on: 'server/ping/answers',
      tamper: tampers.result('ping', () => ({ _meta: { 'com.example/padding': 'x'.repeat(1024 * 1024) } })),
    },
  ],
})
