/** Reading what a client did: its requests and notifications, what it did not do, and the scripts that many files share. */
import { isObject, isResponse, type Json, type JsonObject, shapeOf, textAt } from '../wire/json-rpc.ts'
import type { MessageFrame } from '../wire/log.ts'
import { type ClientRun, script } from './client-scenario.ts'

/** A message of the client that has a method. */
export interface Sent {
  method: string
  params: JsonObject
  id: Json | undefined
  message: JsonObject
  frame: MessageFrame
}

const partsOf = (frame: MessageFrame): Json[] =>
  frame.json === undefined ? [] : Array.isArray(frame.json) ? frame.json : [frame.json]

/** The requests and notifications of the client, in order; of one method, where one is given. */
export function sent(run: Pick<ClientRun<unknown>, 'messages'>, method?: string): Sent[] {
  return run.messages.flatMap(frame =>
    partsOf(frame).flatMap(message => {
      const name = textAt(message, 'method')
      if (!isObject(message) || name === undefined || (method !== undefined && name !== method)) return []
      const params = isObject(message.params) ? message.params : {}
      return [{ method: name, params, id: message.id, message, frame }]
    }),
  )
}

/** Its responses, in order. */
export const responses = (run: Pick<ClientRun<unknown>, 'messages'>): { message: JsonObject; frame: MessageFrame }[] =>
  run.messages.flatMap(frame =>
    partsOf(frame).flatMap(message => (isObject(message) && isResponse(shapeOf(message)) ? [{ message, frame }] : [])),
  )

/** The client got so far: it has finished a handshake. */
export const shookHands = (run: ClientRun<unknown>): boolean => run.conversations.some(one => one.initialized)

/** Why something could not be seen: what the client would have had to do, and in which scenario a driver does it. */
export const undone = (run: ClientRun<unknown>, what: string): string =>
  `the client did not ${what} (asked for in the scenario ${run.drive.name})`

/** How the client ended, in words and with the frame that says so. */
export function fateOfClient(run: ClientRun<unknown>): {
  text: string
  frames: MessageFrame[] | [typeof run.end.frame]
} {
  const { end } = run
  const text =
    end.how === 'stopped'
      ? 'the client was still running when its time was over'
      : end.signal === undefined
        ? `the client exited with code ${end.code ?? '?'}`
        : `the client was ended by ${end.signal}`
  return { text, frames: [end.frame] }
}

/** A crash is an end by a signal, or with a code that no program chooses: node says 7 or 134, a shell 128 and more. */
export const crashed = ({ end }: ClientRun<unknown>): boolean =>
  end.how === 'exited' && (end.signal !== undefined || end.code === 70 || end.code === 134 || end.code === 139)

/** Connects and lists the tools of a plain server. */
export const PLAIN = script({ drive: { name: 'initialize' } })

/** The same, and calls `add_numbers`. */
export const CALLING = script({ drive: { name: 'tools_call' } })
