/** A server with sessions: `initialize` begins one, and the client says when it is ready (2025-11-25, basic/lifecycle). */
import { isObject } from '../../wire/json-rpc.ts'
import { isOpening, sessionMethods } from '../server/streamable-http.ts'
import type { Era } from './era.ts'
import { answerOf, FEATURES } from './plain-server.ts'

export const withSessions: Era = {
  http: {},
  opening(json) {
    if (!isOpening(json)) return undefined
    return isObject(json.params) ? json.params : {}
  },
  introduces: ({ method }, hello) => (method === 'notifications/initialized' ? hello : undefined),
  refuses: () => undefined,
  answer: (setup, call) => answerOf(FEATURES, setup, call),
  complete: (_setup, _method, result) => result,
  methods: sessionMethods,
}
