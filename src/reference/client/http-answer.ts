/** The answer to a POST that is no event stream, when all of it has come (basic/transports#sending-messages-to-the-server). */
import { type HttpHead, headerValue, mediaType } from '../../wire/http.ts'
import { at, isObject, parseJson } from '../../wire/json-rpc.ts'
import { errorReply, failed, type Reply } from './reply.ts'

export interface PostAnswer {
  /** 0: no head has come */
  status: number
  type: string
  location: string | undefined
  text: string
  /** why it did not come to its end */
  broken: string | undefined
}

export type AnswerHead = Pick<PostAnswer, 'status' | 'type' | 'location'>

export const NO_HEAD: AnswerHead = { status: 0, type: '', location: undefined }

export const headIn = ({ status, headers }: HttpHead): AnswerHead => ({
  status,
  type: mediaType(headerValue(headers, 'content-type')),
  location: headerValue(headers, 'location'),
})

export const isGood = (status: number): boolean => status >= 200 && status < 300

/** `accepted`: what was asked may be answered on another stream. `empty`: there is nothing to read in it. */
export type Meaning = 'accepted' | 'message' | 'empty' | 'moved' | 'refused'

export function meaningOf({ status, location, text, broken }: PostAnswer): Meaning {
  if (status >= 400) return 'refused'
  if (status >= 300 && location !== undefined) return 'moved'
  if (!isGood(status) || broken !== undefined) return 'empty'
  if (status === 202) return 'accepted'
  return text.trim() === '' ? 'empty' : 'message'
}

/** What an error status says about the request that it answers: the body may have more to say than the status. */
export function refusalIn(status: number, text: string): Reply {
  if (status === 401) return failed('unauthorized', 'the server wants an authorization that the client does not have')
  const error = at(parseJson(text), 'error')
  return isObject(error) ? errorReply(error) : failed('lost', `HTTP ${status}`)
}

export const unknownSession = (): Reply => failed('expired', 'the server does not know the session any more')
