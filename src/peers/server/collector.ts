/** A channel that sends nothing: what is said there is kept for whoever puts an answer together. */
import type { Json } from '../../wire/json-rpc.ts'
import { type Said, saidBy } from './outcome.ts'
import type { ResponseChannel } from './response-channel.ts'

export interface Collector extends ResponseChannel {
  readonly messages: readonly Json[]
}

export function createCollector(): Collector {
  const messages: Json[] = []
  const keep = (said: Said): boolean => {
    if ('message' in said) messages.push(said.message)
    return true
  }
  return {
    messages,
    say: keep,
    raw: () => false,
    async respond(outcome, request) {
      for (const said of saidBy(outcome, request) ?? []) keep(said)
    },
    stream: () => undefined,
    disconnect() {},
    release() {},
  }
}
