/** Which kind of fault a judgement is: what the suite says of what came, or what shows that nothing came. */
import type { Got, Probe, Reply } from '../peers/reply.ts'
import type { Judgement, Kind } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'

/** The kind that a suite gives is about what came; where nothing did, that is the fault, whatever was expected of it. */
export const kindOf = (judgement: Judgement<string>): Kind =>
  absence(judgement.got) ?? judgement.fault.kind ?? presence(judgement.got)

/** The kind where no answer came; undefined where one did, or where the judgement is not about an answer. */
function absence(got: Got): Kind | undefined {
  if (isFrames(got) || 'text' in got || 'seq' in got) return undefined
  if ('alive' in got) return lifeOf(got)
  if ('status' in got && got.status === 0) return got.ended === 'open' ? 'silent' : 'died'
  if ('status' in got) return undefined
  return got.kind === 'none' ? WITHOUT_ANSWER[got.why] : undefined
}

const WITHOUT_ANSWER = { timeout: 'silent', closed: 'died', unparsable: 'malformed' } as const

/** A probe whose barrier was not answered: the process ended, or it lives and says nothing any more. */
function lifeOf(probe: Probe): Kind | undefined {
  if (probe.alive) return undefined
  return probe.frames.some(isTheirEnd) ? 'died' : 'stuck'
}

/** An exchange over HTTP is `closed` by us, when we stop to wait; the target lets it fail. */
const isTheirEnd = (frame: Frame): boolean =>
  frame.kind === 'end' && frame.why !== 'asked' && (frame.why !== 'closed' || frame.exchange === undefined)

/** What an answer most likely is, where the suite does not say: the wrong one. */
function presence(got: Got): Kind {
  if (isFrames(got)) return got.length === 0 ? 'missing' : ofFrame(got[got.length - 1] as Frame)
  if ('seq' in got) return ofFrame(got)
  if ('text' in got) return got.frames.length === 0 ? 'missing' : ofFrame(got.frames[got.frames.length - 1] as Frame)
  if ('alive' in got) return got.messages.length === 0 ? 'silent' : 'unasked'
  return 'status' in got ? 'wrong-status' : ofReply(got)
}

function ofFrame(frame: Frame): Kind {
  switch (frame.kind) {
    case 'silence':
      return 'silent'
    case 'end':
      return 'died'
    default:
      return 'wrong-value'
  }
}

function ofReply(reply: Reply): Kind {
  switch (reply.kind) {
    case 'error':
      return 'refused'
    case 'http-error':
      // A status of success without any message in it is no answer.
      return reply.http.status >= 200 && reply.http.status < 300 ? 'silent' : 'wrong-status'
    default:
      return 'wrong-value'
  }
}

const isFrames = (got: Got): got is readonly Frame[] => Array.isArray(got)
