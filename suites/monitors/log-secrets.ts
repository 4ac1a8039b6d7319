import { at, judge, type MessageFrame, monitor, tampers, theirMessages } from '../../src/suite/monitor.ts'

interface State {
  /** what gives access: tokens and cookies that we sent */
  credentials: Set<string>
  /** names the session, and must not authenticate anybody (security best practices) */
  session: string | undefined
}

/** Shorter values may turn up anywhere by chance. */
const SHORTEST = 8

/** What looks like somebody's key, whoever it belongs to. */
const FOREIGN = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bBearer\s+[\w.~+/-]{20,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
]

/** Nothing that we were trusted with, or that looks like a key, may be read in a log (server/utilities/logging#security). */
export default monitor({
  title: 'Log messages hold no credentials',
  frames: 'all',
  claims: { clean: 'logging.security.no-secrets' },
  start: (): State => ({ credentials: new Set(), session: undefined }),
  *see(state, frame) {
    if (frame.kind === 'http' && frame.from === 'us') {
      for (const [name, value] of frame.headers) {
        const field = name.toLowerCase()
        if (field === 'authorization' || field === 'cookie') state.credentials.add(value.replace(/^\w+[ =]/, ''))
        if (field === 'mcp-session-id') state.session = value
      }
    }
    for (const message of theirMessages(frame)) {
      if (at(message, 'method') !== 'notifications/message') continue
      const { text } = frame as MessageFrame
      const says = (secret: string | undefined): boolean =>
        secret !== undefined && secret.length >= SHORTEST && text.includes(secret)
      const leak = [...state.credentials].some(says)
      // A session id is no credential by the text, and a foreign key may be a made-up one.
      const suspicious = says(state.session) || FOREIGN.some(pattern => pattern.test(text))
      const outcome = leak ? 'breaks' : suspicious ? 'bends' : 'holds'
      yield judge(
        'clean',
        outcome,
        'log messages without tokens, cookies, keys or the session id',
        {
          text: outcome === 'holds' ? 'a log message without any of them' : 'a log message that holds one of them',
          frames: [frame],
        },
        'leaked',
      )
    }
  },
  defects: [
    ...[
      'started with Authorization: Bearer abcdefghijklmnopqrstuvwxyz',
      'signing with -----BEGIN PRIVATE KEY-----',
      'key AKIAIOSFODNN7EXAMPLE',
    ].map(data => ({
      named: `logs "${data}"`,
      on: 'server/lifecycle/before-initialized',
      breaks: 'clean' as const,
      kind: 'leaked' as const,
      verdict: 'warn' as const,
      replace: {
        greets: (when: 'answered' | 'initialized' | 'roots changed') =>
          when === 'initialized' ? [{ method: 'notifications/message', params: { level: 'info', data } }] : [],
      },
    })),
    {
      named: 'logs the session id',
      on: 'server/lifecycle/before-initialized',
      breaks: 'clean',
      kind: 'leaked',
      verdict: 'warn',
      via: 'http',
      replace: {
        greets: (when, session) =>
          when === 'initialized'
            ? [{ method: 'notifications/message', params: { level: 'info', data: `session ${session.id} is open` } }]
            : [],
      },
    },
  ],
  variants: [
    {
      named: 'logs what happened, not what was said',
      on: 'server/logging/threshold',
      shows: ['clean'],
      tamper: tampers.message(message =>
        message.method === 'notifications/message'
          ? {
              ...message,
              params: { level: 'info', data: 'a Bearer token was accepted, the key begins with -----BEGIN' },
            }
          : message,
      ),
    },
  ],
})
