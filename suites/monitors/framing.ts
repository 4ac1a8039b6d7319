import {
  type Frame,
  type Json,
  judge,
  type MessageFrame,
  type MonitorContext,
  monitor,
  shapeOf,
  tampers,
} from '../../src/suite/monitor.ts'
import { holdsTwo, parses } from './_json-lines.ts'

interface State {
  /** the claim that there is nothing but messages, as it is called for that side */
  only: 'only' | 'stdin'
  /** lines that were no JSON, since the last one that was */
  broken: MessageFrame[]
  tail: MessageFrame | undefined
}

/** The scenario that drives the client. */
const ON = 'client/lifecycle/opens'

/** How many lines a broken message may be spread over and still be recognised. */
const MAX_JOINED = 200

/** stdout of a server, and what a client writes to its stdin: one message a line, and nothing else from start to exit. */
export default monitor({
  title: 'stdin and stdout carry one message a line and nothing else',
  frames: 'all',
  sides: ['server', 'client'],
  needs: { via: 'stdio' },
  claims: {
    only: 'transport-stdio.stdout.only-messages',
    stdin: 'transport-stdio.stdin.only-messages',
    delimited: 'transport-stdio.framing.newline-delimited',
    unbroken: 'transport-stdio.framing.no-embedded-newline',
    single: 'transport-stdio.message.individual',
    utf8: 'transport-stdio.encoding.utf8',
  },
  start: ({ role }: MonitorContext): State => ({
    only: role === 'server' ? 'only' : 'stdin',
    broken: [],
    tail: undefined,
  }),
  *see(state, frame) {
    if (frame.kind === 'end' && frame.why !== 'asked') yield* judgeTail(state, frame)
    if (frame.kind !== 'message' || frame.from !== 'them') return
    if (frame.flaw === 'unterminated') {
      state.tail = frame
      return
    }
    yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame, 'malformed')
    if (frame.flaw === 'too-long') {
      yield judge('delimited', false, 'a newline behind each message', frame, 'missing')
    } else if (frame.text.trim() === '') {
      yield judge('delimited', 'bends', 'no blank lines', frame, { kind: 'unasked', subject: 'blank lines' })
    } else if (frame.json === undefined) {
      // Bytes that are no UTF-8 are one fault, not two.
      if (frame.flaw !== 'not-utf8') yield* judgeText(state, frame)
    } else {
      state.broken = []
      yield judge('delimited', frame.crlf === true ? 'bends' : 'holds', 'LF alone behind each message', frame, {
        kind: 'wrong-value',
        subject: 'CR LF',
      })
      yield judge(state.only, isMessage(frame.json), 'an MCP message on each line', frame, 'unasked')
      yield judge('single', !Array.isArray(frame.json), 'a single message on each line', frame, 'wrong-type')
      yield judge('unbroken', true, 'a message in one line', frame)
    }
  },
  defects: [
    {
      named: 'a client with a banner',
      on: ON,
      breaks: 'stdin',
      kind: 'unasked',
      replace: { banner: 'Client is starting\n' },
    },
    { named: 'a client with a last word', on: ON, breaks: 'stdin', kind: 'unasked', replace: { farewell: 'bye\n' } },
    { named: 'a client that says quit', on: ON, breaks: 'stdin', kind: 'unasked', replace: { farewell: 'quit' } },
    {
      named: 'a client that writes JSON that is no message',
      on: ON,
      breaks: 'stdin',
      kind: 'unasked',
      tamper: tampers.output(text => ['{"level":"info","msg":"sending"}\n', text]),
    },
    {
      named: 'a client with Content-Length headers',
      on: ON,
      breaks: 'delimited',
      kind: 'unasked',
      also: ['stdin'],
      replace: { frame: (text: string) => `Content-Length: ${text.length}\r\n\r\n${text}\n` },
    },
    {
      named: 'a client with CR LF',
      on: ON,
      breaks: 'delimited',
      kind: 'wrong-value',
      verdict: 'warn',
      replace: { frame: (text: string) => `${text}\r\n` },
    },
    {
      named: 'a client with blank lines',
      on: ON,
      breaks: 'delimited',
      kind: 'unasked',
      verdict: 'warn',
      replace: { frame: (text: string) => `${text}\n\n` },
    },
    {
      named: 'a client with two messages in one line',
      on: ON,
      breaks: 'delimited',
      kind: 'missing',
      also: ['stdin'],
      tamper: tampers.output((text, message) => `${JSON.stringify(message)}${text}`),
    },
    {
      named: 'no newline behind the last message of a client',
      on: ON,
      breaks: 'delimited',
      kind: 'missing',
      replace: { farewell: '{"jsonrpc":"2.0","method":"notifications/x-own"}' },
    },
    {
      named: 'a client with pretty-printed messages',
      on: ON,
      breaks: 'unbroken',
      kind: 'malformed',
      also: ['stdin'],
      tamper: tampers.output((_text, message) => `${JSON.stringify(message, null, 2)}\n`),
    },
    {
      named: 'a client that sends batches',
      on: ON,
      breaks: 'single',
      kind: 'wrong-type',
      tamper: tampers.json(message => [message]),
    },
    {
      named: 'a client that writes Latin-1',
      on: ON,
      breaks: 'utf8',
      kind: 'malformed',
      replace: {
        clientInfo: () => ({ name: 'Köln', version: '1' }),
        encode: (text: string) => Buffer.from(text, 'latin1'),
      },
    },
    {
      named: 'a banner',
      on: 'server/ping/answers',
      breaks: 'only',
      kind: 'unasked',
      replace: { banner: 'Server is running on stdio\n' },
    },
    {
      named: 'a word at the end',
      on: 'server/ping/answers',
      breaks: 'only',
      kind: 'unasked',
      replace: { farewell: 'bye\n' },
    },
    {
      named: 'a debug print between messages',
      on: 'server/ping/answers',
      breaks: 'only',
      kind: 'unasked',
      tamper: tampers.output(text => [`debug: sending\n`, text]),
    },
    {
      named: 'a JSON log line that is no message',
      on: 'server/ping/answers',
      breaks: 'only',
      kind: 'unasked',
      tamper: tampers.output(text => ['{"level":"info","msg":"sending"}\n', text]),
    },
    {
      named: 'Content-Length headers',
      on: 'server/ping/answers',
      breaks: 'delimited',
      kind: 'unasked',
      also: ['only'],
      replace: { frame: text => `Content-Length: ${text.length}\r\n\r\n${text}\n` },
    },
    {
      named: 'CR LF line ends',
      on: 'server/ping/answers',
      breaks: 'delimited',
      kind: 'wrong-value',
      verdict: 'warn',
      replace: { frame: text => `${text}\r\n` },
    },
    {
      named: 'blank lines',
      on: 'server/ping/answers',
      breaks: 'delimited',
      kind: 'unasked',
      verdict: 'warn',
      replace: { frame: text => `${text}\n\n` },
    },
    {
      named: 'two messages in one line',
      on: 'server/ping/answers',
      breaks: 'delimited',
      kind: 'missing',
      also: ['only'],
      tamper: tampers.output((text, message) => `${JSON.stringify(message)}${text}`),
    },
    {
      named: 'no newline behind the last message',
      on: 'server/ping/answers',
      breaks: 'delimited',
      kind: 'missing',
      replace: { farewell: '{"jsonrpc":"2.0","method":"notifications/message"}' },
    },
    {
      named: 'pretty-printed messages',
      on: 'server/ping/answers',
      breaks: 'unbroken',
      kind: 'malformed',
      also: ['only'],
      tamper: tampers.output((_text, message) => `${JSON.stringify(message, null, 2)}\n`),
    },
    {
      named: 'a batch',
      on: 'server/ping/answers',
      breaks: 'single',
      kind: 'wrong-type',
      also: ['only'],
      tamper: tampers.json(message => [message]),
    },
    {
      named: 'Latin-1 on stdout',
      on: 'server/ping/answers',
      breaks: 'utf8',
      kind: 'malformed',
      program: 'latin1-output',
    },
  ],
  variants: [
    {
      named: 'a client that breaks off within a message',
      on: ON,
      shows: ['stdin', 'delimited', 'utf8'],
      replace: { farewell: '{"jsonrpc":"2.0","meth' },
    },
  ],
})

const isMessage = (json: Json): boolean => Array.isArray(json) || shapeOf(json) !== 'malformed'

function* judgeText(state: State, frame: MessageFrame) {
  state.broken = [...state.broken.slice(-MAX_JOINED), frame]
  const joined = state.broken.map(one => one.text).join('\n')
  yield judge(state.only, false, 'an MCP message on each line', frame, 'unasked')
  if (state.broken.length > 1 && parses(joined)) {
    const got = { text: `a message over ${state.broken.length} lines`, frames: state.broken }
    yield judge('unbroken', false, 'a message in one line', got, 'malformed')
    state.broken = []
  } else if (/^Content-(?:Length|Type):/i.test(frame.text)) {
    yield judge('delimited', false, 'no headers, only a newline behind each message', frame, {
      kind: 'unasked',
      subject: 'headers',
    })
  } else if (holdsTwo(frame.text)) {
    yield judge('delimited', false, 'a newline behind each message', frame, 'missing')
  }
}

/**
 * A whole message without its newline counts where the writer ended by itself. A part of one does not: we may have
 * closed stdin while it was being written, and a client may be ended by its user.
 */
function* judgeTail(state: State, end: Extract<Frame, { kind: 'end' }>) {
  const tail = state.tail
  state.tail = undefined
  if (tail === undefined || end.why === 'killed') return
  if (tail.json !== undefined)
    yield judge('delimited', false, 'a newline behind the last message, too', tail, 'missing')
  // A client closes stdin itself; what cannot even be the beginning of a message was never meant to be one.
  else if (state.only === 'stdin' && !/^\s*(?:[{[]|$)/.test(tail.text))
    yield judge('stdin', false, 'nothing but messages, to the end', tail, 'unasked')
}
