/** How a server without sessions refuses a request: by an error with its code, and over HTTP with its status. */
import { type Fault, type Judgement, judge, type Reply } from '../../src/suite/server.ts'

export interface Due {
  code: number
  /** the HTTP status, where the clause names one */
  status?: number
  subject?: string
}

/** What is wrong with the refusal; undefined where nothing is. */
export function faultOf(reply: Reply, { code, status }: Due): Fault['kind'] {
  switch (reply.kind) {
    case 'result':
      return 'accepted'
    case 'none':
      return 'silent'
    case 'http-error':
      return status === undefined || reply.http.status === status ? 'missing' : 'wrong-status'
    case 'error':
      if (reply.code !== code) return 'wrong-code'
      return status === undefined || reply.http === undefined || reply.http.status === status
        ? undefined
        : 'wrong-status'
  }
}

/** The request has to be refused just so. */
export function refused<const C extends string>(claim: C, reply: Reply, due: Due): Judgement<C> {
  const kind = faultOf(reply, due)
  return judge(claim, kind === undefined, expected(due), reply, {
    ...(kind === undefined ? {} : { kind }),
    ...(due.subject === undefined ? {} : { subject: due.subject }),
  })
}

const expected = ({ code, status }: Due): string =>
  `error ${code}${status === undefined ? '' : ` with HTTP ${status}, where there is HTTP`}`
