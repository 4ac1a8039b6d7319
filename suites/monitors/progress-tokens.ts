import {
  at,
  type Frame,
  idKey,
  isObject,
  isResponse,
  type Json,
  type JsonObject,
  judge,
  monitor,
  notification,
  shapeOf,
  tampers,
  theirMessages,
  trackExchanges,
} from '../../src/suite/monitor.ts'

interface Use {
  /** key of the id of the request that brought the token */
  request: string
  /** its work goes on behind the response (basic/utilities/tasks) */
  task: boolean
  /** the stream on which its response came (stdio has one stream, 0), and the newest exchange that was open then */
  answered: { on: number; newest: number } | undefined
}

interface State {
  uses: Map<string, Use>
  exchanges: ReturnType<typeof trackExchanges>
  newest: number
  /** event ids: a replay repeats what was right when it was said */
  events: Set<string>
}

const streamOf = (frame: Frame): number => frame.exchange ?? 0

/** To which request a `notifications/progress` belongs, and whether that is still running. */
export default monitor({
  title: 'Progress names a token that we gave, and ends with the response',
  frames: 'all',
  claims: {
    known: 'progress.notify.only-known-token',
    active: 'progress.notify.only-in-progress',
  },
  start: (): State => ({ uses: new Map(), exchanges: trackExchanges(), newest: 0, events: new Set() }),
  *see(state, frame) {
    const exchange = state.exchanges.follow(frame)
    state.newest = Math.max(state.newest, frame.exchange ?? 0)
    if (frame.kind === 'message' && frame.from === 'us') remember(state, frame.json)
    if (frame.kind === 'message' && frame.eventId !== undefined) {
      if (state.events.has(frame.eventId)) return
      state.events.add(frame.eventId)
    }
    for (const message of theirMessages(frame)) {
      if (isResponse(shapeOf(message))) {
        const key = idKey(at(message, 'id'))
        for (const use of state.uses.values())
          if (use.request === key) use.answered ??= { on: streamOf(frame), newest: state.newest }
      }
      if (at(message, 'method') !== 'notifications/progress') continue
      const token = at(message, 'params', 'progressToken')
      const use = state.uses.get(idKey(token))
      const kind = token === undefined ? 'missing' : 'wrong-value'
      yield judge('known', use !== undefined, 'the token of a request of ours, type and value', frame, kind)
      if (use === undefined || use.task) continue
      yield judge('active', timing(use, frame, exchange?.method), 'no progress behind the response', frame, 'late')
    }
  },
  defects: [
    {
      named: 'makes up a token where none was given',
      on: 'server/progress/reports',
      breaks: 'known',
      kind: 'wrong-value',
      tamper: tampers.message((message, cause) =>
        at(message, 'result') !== undefined &&
        cause?.method === 'tools/call' &&
        at(cause, 'params', '_meta') === undefined
          ? [progress('tool-call-2'), message]
          : message,
      ),
    },
    {
      named: 'builds the token from the name of the tool and the time',
      on: 'server/progress/reports',
      breaks: 'known',
      kind: 'wrong-value',
      tamper: retoken(() => `test_tool_with_progress-${Date.now()}`),
    },
    {
      named: 'turns tokens into strings',
      on: 'server/progress/reports',
      breaks: 'known',
      kind: 'wrong-value',
      tamper: retoken(String),
    },
    {
      named: 'leaves the token out',
      on: 'server/progress/reports',
      breaks: 'known',
      kind: 'missing',
      tamper: retoken(() => undefined),
    },
    {
      named: 'reports once more behind the response',
      on: 'server/progress/reports',
      breaks: 'active',
      kind: 'late',
      tamper: tampers.message((message, cause) => {
        const token = at(cause, 'params', '_meta', 'progressToken')
        return token !== undefined && isResponse(shapeOf(message)) ? [message, progress(token)] : message
      }),
    },
    ...(['stdio', 'http'] as const).map(via => ({
      named: 'reports with the token of an earlier request',
      on: 'server/progress/reports',
      breaks: 'active' as const,
      kind: 'late' as const,
      via,
      // On the stream of another request it may have been kept back until then.
      ...(via === 'http' ? { verdict: 'warn' as const } : {}),
      tamper: tampers.message((message, cause) =>
        cause?.method === 'tools/call' && at(cause, 'params', '_meta') === undefined
          ? [progress('abc'), message]
          : message,
      ),
    })),
  ],
  variants: [
    {
      named: 'the last report right before the response',
      on: 'server/progress/reports',
      shows: ['known', 'active'],
      tamper: tampers.message((message, cause) => {
        const token = at(cause, 'params', '_meta', 'progressToken')
        return token !== undefined && isResponse(shapeOf(message)) ? [progress(token), message] : message
      }),
    },
  ],
})

/**
 * On the stream of the response the order is certain. Other streams may bring what is older, but for the one of a
 * request that was sent later: what a server has kept back until then may only have been late.
 */
function timing({ answered }: Use, frame: Frame, method: string | undefined): 'holds' | 'bends' | 'breaks' {
  if (answered === undefined) return 'holds'
  if (answered.on === streamOf(frame)) return 'breaks'
  return method === 'POST' && streamOf(frame) > answered.newest ? 'bends' : 'holds'
}

function remember(state: State, json: unknown): void {
  for (const message of Array.isArray(json) ? json : [json]) {
    const token = at(message, 'params', '_meta', 'progressToken')
    if (token === undefined || shapeOf(message) !== 'request') continue
    const task = isObject(at(message, 'params', 'task'))
    state.uses.set(idKey(token), { request: idKey(at(message, 'id')), task, answered: undefined })
  }
}

const progress = (progressToken: Json): JsonObject =>
  notification('notifications/progress', { progressToken, progress: 101, total: 101 })

function retoken(rename: (token: unknown) => string | undefined) {
  return tampers.message(message =>
    message.method === 'notifications/progress' && isObject(message.params)
      ? { ...message, params: { ...message.params, progressToken: rename(message.params.progressToken) } }
      : message,
  )
}
