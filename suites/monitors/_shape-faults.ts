/** Means to break the shape of messages of the reference in many ways, for the defects of monitors/schema. */
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  type Kind,
  type Monitor,
  type Tamper,
  tampers,
} from '../../src/suite/monitor.ts'

export type SchemaDefect = Monitor<string, unknown>['defects'][number]
export type SchemaVariant = NonNullable<Monitor<string, unknown>['variants']>[number]

/** The same clause broken in several ways, by the same means. */
export const breaking = <T = JsonObject>(
  breaks: string,
  on: string,
  fault: (sent: T) => { tamper: Tamper } | { replace: object },
  faults: readonly (readonly [kind: Kind, sent: T])[],
  more: { also?: string[]; spec?: '2024-11-05' | '2025-03-26' | '2025-06-18' } = {},
): SchemaDefect[] =>
  faults.map(([kind, sent]) => ({
    named: `${breaks} with ${shown(sent)}`,
    on,
    breaks,
    kind,
    ...more,
    ...fault(sent),
  }))

const shown = (sent: unknown): string =>
  JSON.stringify(sent, (_name, value: unknown) => (value === undefined ? 'absent' : value)) ?? 'absent'

/** The result of each request of the method is exchanged. */
export const answers =
  (method: string) =>
  (result: JsonObject): { tamper: Tamper } => ({ tamper: tampers.result(method, () => result) })

/** Members of the result are exchanged. */
export const changes =
  (method: string) =>
  (members: JsonObject): { tamper: Tamper } => ({
    tamper: tampers.result(method, result => ({ ...result, ...members })),
  })

/** Members of the params are exchanged in the requests or notifications of the method that the side sends by itself. */
export const says =
  (method: string) =>
  (members: JsonObject): { tamper: Tamper } => ({
    tamper: tampers.message(message =>
      message.method === method && isObject(message.params)
        ? { ...message, params: { ...message.params, ...members } }
        : message,
    ),
  })

/** One more entry in a list. */
export const lists =
  (method: string, member: string, usual: JsonObject) =>
  (entry: Json): { tamper: Tamper } => ({
    tamper: tampers.result(method, result => {
      const listed = at(result, member)
      const one = isObject(entry) ? { ...usual, ...entry } : entry
      return { ...result, [member]: [...(Array.isArray(listed) ? listed : []), one] }
    }),
  })

/** What the side says once it is initialized. */
export const greets = (method: string) => (params: JsonObject | undefined) => ({
  replace: {
    greets: (when: string) => (when === 'initialized' ? [{ method, ...(params === undefined ? {} : { params }) }] : []),
  },
})

/** A member that is left out. */
export const absent = undefined as unknown as Json

/** Something is said before a ping is answered. */
export function answersFirst(method: string) {
  const id = method.startsWith('notifications/') ? {} : { id: `said-${method}` }
  return (params: JsonObject | undefined): { tamper: Tamper } => ({
    tamper: tampers.answer('ping', answer => [
      { jsonrpc: '2.0', ...id, method, ...(params === undefined ? {} : { params }) },
      answer,
    ]),
  })
}
