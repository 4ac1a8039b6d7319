/** What a feature of the reference server answers: a result, or an error. */
import { isObject, type Json, type JsonObject } from '../../wire/json-rpc.ts'

interface Fault {
  error: { code: number; message: string; data?: Json }
}
export type Answer = JsonObject | Fault
/** The answer is an error. */
export const isFault = (answer: Answer): answer is Fault => isObject(answer.error)
