/** What differs between a server with sessions and one without them, as far as the double is such a server. */
import type { Json, JsonObject } from '../../wire/json-rpc.ts'
import type { Methods } from '../server/endpoint.ts'
import type { SessionHost } from '../server/streamable-http.ts'
import type { HttpBehaviour } from './behaviour.ts'
import type { Call, CallAnswer } from './call.ts'
import type { OpenConversation } from './conversation.ts'
import type { ServerSetup } from './double.ts'

/** The value of a header field of an HTTP request. */
export type Head = (name: string) => string | undefined

export interface Era {
  /** How its HTTP side differs from that of the other, where a script does not say otherwise. */
  readonly http: Partial<HttpBehaviour>
  /**
   * What the client says of itself in the message that begins a conversation; undefined where this one does not.
   * `isKnown`: the message would belong to a conversation.
   */
  opening(json: Json | undefined, isKnown: boolean): JsonObject | undefined
  /** What is known of the client once it has sent that: from then on it has got through. Undefined for other messages. */
  introduces(message: JsonObject, hello: JsonObject): JsonObject | undefined
  /** Why a request is not served, whatever a script has to say to it. Over stdio there is no head. */
  refuses(setup: ServerSetup, message: JsonObject, head: Head | undefined): JsonError | undefined
  /** The answer of a plain, correct server. */
  answer(setup: ServerSetup, call: Call): CallAnswer | Promise<CallAnswer>
  /** A result with what each result needs; what a script has put there stays. */
  complete(setup: ServerSetup, method: string, result: JsonObject): JsonObject
  /** What is served at the endpoint. */
  methods(host: SessionHost<OpenConversation>): Methods
}

export interface JsonError {
  code: number
  message: string
  data?: Json
}
