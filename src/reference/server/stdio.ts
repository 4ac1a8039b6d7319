/** The reference server on a pair of streams. */
import { createLineChannel } from '../../peers/server/line-channel.ts'
import type { ResponseChannel } from '../../peers/server/response-channel.ts'
import { codes, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import { within } from '../../wire/wait.ts'
import type { Outgoing, Tamper } from '../outgoing.ts'
import type { Policies } from '../policies.ts'
import { createSession, type ReferenceSession } from './session.ts'

/** Work in hand at the end of stdin is finished, but not waited for without end. */
const LINGER_MS = 300

export interface StdioServer {
  /** Feeds what came on stdin. */
  feed(chunk: Uint8Array): void
  /** stdin was closed. Resolves when the work in hand is done. */
  end(): Promise<void>
}

/** Who takes the messages. */
export type Begin = (policies: Policies, channel: ResponseChannel) => Pick<ReferenceSession, 'receive'>

export const oneSession: Begin = (policies, channel) => createSession(policies, 'stdio', channel)

export function serveStdio(
  policies: Policies,
  tamper: Tamper,
  write: (text: string) => void,
  begin: Begin = oneSession,
): StdioServer {
  const work = new Set<Promise<void>>()
  const { output, channel } = outputOf(policies, tamper, write)
  const session = begin(policies, channel)
  if (policies.banner !== '') output(policies.banner, undefined)

  const reader = policies.reader(text => {
    // A blank line holds no message.
    if (text.trim() === '') return
    const json = policies.parse(text)
    if (json === undefined) {
      const answer = policies.onUnparsable(text)
      if (answer !== undefined) void channel.say({ message: answer }, undefined)
      return
    }
    const done = session.receive(json, channel).catch(async (problem: unknown) => {
      const message = json as JsonObject
      const error = { code: codes.internalError, message: String(problem) }
      if (message.id !== undefined) await channel.respond({ error }, message)
    })
    work.add(done)
    void done.finally(() => work.delete(done))
  })
  return {
    feed: chunk => reader.feed(chunk),
    async end() {
      reader.end()
      // A request of ours that nobody will answer any more must not keep the server alive.
      await within(Promise.all(work), LINGER_MS)
      if (policies.farewell !== '') output(policies.farewell, undefined)
    },
  }
}

/** What is said goes to stdout as the tamper rewrites it: first the message, then the text of its line. */
function outputOf(policies: Policies, tamper: Tamper, write: (text: string) => void) {
  const output = (text: string, message: Json | undefined): void => {
    for (const out of tamper({ layer: 'output', text, message }))
      write((out as Extract<Outgoing, { layer: 'output' }>).text)
  }
  const channel = createLineChannel({
    say(said, cause) {
      if (!('message' in said)) return false
      for (const out of tamper({ layer: 'message', message: said.message, cause, on: 'stdio' })) {
        const { message: told } = out as Extract<Outgoing, { layer: 'message' }>
        output(policies.frame(JSON.stringify(told)), told)
      }
      return true
    },
    raw: () => false,
  })
  return { output, channel }
}
