import { type Frame, type Json, judge, type MessageFrame, monitor, shapeOf, tampers } from '../../src/suite.ts'

interface State {
  /** lines that were no JSON, since the last one that was */
  broken: MessageFrame[]
  tail: MessageFrame | undefined
}

/** How many lines a broken message may be spread over and still be recognised. */
const MAX_JOINED = 200

/** stdout of a server: one message a line, and nothing else from start to exit. */
export default monitor({
  title: 'stdout carries one message a line and nothing else',
  needs: { via: 'stdio' },
  claims: {
    only: 'transport-stdio.stdout.only-messages',
    delimited: 'transport-stdio.framing.newline-delimited',
    unbroken: 'transport-stdio.framing.no-embedded-newline',
    single: 'transport-stdio.message.individual',
    utf8: 'transport-stdio.encoding.utf8',
  },
  start: (): State => ({ broken: [], tail: undefined }),
  *see(state, frame) {
    if (frame.kind === 'end' && frame.why !== 'asked') yield* judgeTail(state, frame)
    if (frame.kind !== 'message' || frame.from !== 'them') return
    if (frame.flaw === 'unterminated') {
      state.tail = frame
      return
    }
    yield judge('utf8', frame.flaw !== 'not-utf8', 'bytes that are valid UTF-8', frame)
    if (frame.flaw === 'too-long') {
      yield judge('delimited', false, 'a newline behind each message', frame)
    } else if (frame.text.trim() === '') {
      yield judge('delimited', 'bends', 'no blank lines', frame)
    } else if (frame.json === undefined) {
      // Bytes that are no UTF-8 are one fault, not two.
      if (frame.flaw !== 'not-utf8') yield* judgeText(state, frame)
    } else {
      state.broken = []
      yield judge('delimited', frame.crlf === true ? 'bends' : 'holds', 'LF alone behind each message', frame)
      yield judge('only', isMessage(frame.json), 'an MCP message on each line', frame)
      yield judge('single', !Array.isArray(frame.json), 'a single message on each line', frame)
      yield judge('unbroken', true, 'a message in one line', frame)
    }
  },
  defects: [
    {
      named: 'a banner',
      on: 'server/ping/answers',
      breaks: 'only',
      replace: { banner: 'Server is running on stdio\n' },
    },
    { named: 'a word at the end', on: 'server/ping/answers', breaks: 'only', replace: { farewell: 'bye\n' } },
    {
      named: 'a debug print between messages',
      on: 'server/ping/answers',
      breaks: 'only',
      tamper: tampers.output(text => [`debug: sending\n`, text]),
    },
    {
      named: 'a JSON log line that is no message',
      on: 'server/ping/answers',
      breaks: 'only',
      tamper: tampers.output(text => ['{"level":"info","msg":"sending"}\n', text]),
    },
    {
      named: 'Content-Length headers',
      on: 'server/ping/answers',
      breaks: 'delimited',
      also: ['only'],
      replace: { frame: text => `Content-Length: ${text.length}\r\n\r\n${text}\n` },
    },
    {
      named: 'CR LF line ends',
      on: 'server/ping/answers',
      breaks: 'delimited',
      replace: { frame: text => `${text}\r\n` },
    },
    { named: 'blank lines', on: 'server/ping/answers', breaks: 'delimited', replace: { frame: text => `${text}\n\n` } },
    {
      named: 'two messages in one line',
      on: 'server/ping/answers',
      breaks: 'delimited',
      also: ['only'],
      tamper: tampers.output((text, message) => `${JSON.stringify(message)}${text}`),
    },
    {
      named: 'no newline behind the last message',
      on: 'server/ping/answers',
      breaks: 'delimited',
      replace: { farewell: '{"jsonrpc":"2.0","method":"notifications/message"}' },
    },
    {
      named: 'pretty-printed messages',
      on: 'server/ping/answers',
      breaks: 'unbroken',
      also: ['only'],
      tamper: tampers.output((_text, message) => `${JSON.stringify(message, null, 2)}\n`),
    },
    {
      named: 'a batch',
      on: 'server/ping/answers',
      breaks: 'single',
      also: ['only'],
      tamper: tampers.json(message => [message]),
    },
    { named: 'Latin-1 on stdout', on: 'server/ping/answers', breaks: 'utf8', program: 'latin1-output' },
  ],
})

const isMessage = (json: Json): boolean => Array.isArray(json) || shapeOf(json) !== 'malformed'

function* judgeText(state: State, frame: MessageFrame) {
  state.broken = [...state.broken.slice(-MAX_JOINED), frame]
  const joined = state.broken.map(one => one.text).join('\n')
  yield judge('only', false, 'an MCP message on each line', frame)
  if (state.broken.length > 1 && parses(joined)) {
    yield judge('unbroken', false, 'a message in one line', {
      text: `a message over ${state.broken.length} lines`,
      frames: state.broken,
    })
    state.broken = []
  } else if (/^Content-(?:Length|Type):/i.test(frame.text)) {
    yield judge('delimited', false, 'no headers, only a newline behind each message', frame)
  } else if (holdsTwo(frame.text)) {
    yield judge('delimited', false, 'a newline behind each message', frame)
  }
}

/**
 * A whole message without its newline counts where the server ended by itself. A part of one does not: we may have
 * closed stdin while it was being written.
 */
function* judgeTail(state: State, end: Extract<Frame, { kind: 'end' }>) {
  const tail = state.tail
  state.tail = undefined
  if (tail?.json !== undefined && end.why !== 'killed')
    yield judge('delimited', false, 'a newline behind the last message, too', tail)
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** True when the line splits into two JSON objects. */
function holdsTwo(text: string): boolean {
  for (let at = text.indexOf('}{'); at !== -1; at = text.indexOf('}{', at + 1)) {
    if (parses(text.slice(0, at + 1)) && parses(text.slice(at + 1))) return true
  }
  return false
}
