/** The messages of a client to a server without sessions: requests are answered, and notifications have no effect. */
import { isValidMessage, receive } from '../../peers/server/receive.ts'
import type { ResponseChannel } from '../../peers/server/response-channel.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'
import type { Policies } from '../policies.ts'
import { answer } from './answer.ts'

/** Waits and drops as the policies say; undefined where there is no answer. */
export async function answerInTime(
  policies: Policies,
  message: JsonObject,
  ...head: Parameters<typeof answer> extends [Policies, JsonObject, ...infer Rest] ? Rest : never
): Promise<ReturnType<typeof answer>> {
  if (policies.drops(message)) return undefined
  const delay = policies.delay(message)
  if (delay > 0) await policies.sleep(delay)
  return answer(policies, message, ...head)
}

/** Over stdio there is one channel for all. */
export async function receiveStateless(policies: Policies, json: Json, channel: ResponseChannel): Promise<void> {
  const invalid = (wrong: Json): void => {
    const told = policies.onInvalid(wrong)
    if (told !== undefined) void channel.respond({ messages: [told] }, isObject(wrong) ? wrong : {})
  }
  await receive(json, {
    isValid: isValidMessage,
    async request(message) {
      const answered = await answerInTime(policies, message)
      if (answered !== undefined) await channel.respond({ messages: [answered.message] }, message)
    },
    notification(message) {
      const told = policies.onNotification(message)
      if (told !== undefined) void channel.say({ message: told }, message)
    },
    // A client has nothing to answer: the server asks for nothing.
    response() {},
    batch: () => invalid(json),
    invalid,
  })
}
