/** What is wrong with an answer that is not what was due. An answer that did not come is told by `kindOf`. */
import type { Reply } from '../peers/reply.ts'
import { at } from '../wire/json-rpc.ts'
import type { Kind } from './judgement.ts'

/** Where an error was due: a result accepts what had to be refused, another error has the wrong code. */
export function refusalFault(reply: Reply): Kind {
  switch (reply.kind) {
    case 'result':
      return 'accepted'
    case 'error':
      return 'wrong-code'
    default:
      return withoutMessage(reply)
  }
}

/** Where a result was due that has this member, of a certain type: an error refuses what had to be accepted. */
export function memberFault(reply: Reply, ...path: (string | number)[]): Kind {
  switch (reply.kind) {
    case 'result':
      return at(reply.result, ...path) === undefined ? 'missing' : 'wrong-type'
    case 'error':
      return 'refused'
    default:
      return withoutMessage(reply)
  }
}

/** A status of success without any message in it is no answer, either. */
const withoutMessage = ({ http }: Reply): Kind =>
  http === undefined || (http.status >= 200 && http.status < 300) ? 'silent' : 'wrong-status'
