/** The channel of stdio: requests, responses and all that belongs to none of them share one output (basic/transports#stdio). */
import type { JsonObject } from '../../wire/json-rpc.ts'
import { type Said, saidBy } from './outcome.ts'
import type { ResponseChannel } from './response-channel.ts'

export interface LineOutput {
  say(said: Said, cause: JsonObject | undefined, note?: unknown): boolean
  raw(bytes: string | Uint8Array, note?: unknown): boolean
}

export const createLineChannel = (output: LineOutput): ResponseChannel => ({
  say: output.say,
  raw: output.raw,
  async respond(outcome, request) {
    for (const said of saidBy(outcome, request) ?? []) output.say(said, request)
  },
  stream: () => undefined,
  disconnect() {},
  release() {},
})
