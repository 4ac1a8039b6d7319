/** The reference server of each family of revisions: one is made of sessions, the other answers each request on its own. */
import type { FamilyName } from '../spec/revision.ts'
import type { Tamper } from './outgoing.ts'
import type { Policies } from './policies.ts'
import { type HttpServer, serveHttp, sessionsOver } from './server/http.ts'
import { oneSession, type StdioServer, serveStdio } from './server/stdio.ts'
import { statelessMethods } from './stateless/http.ts'
import { receiveStateless } from './stateless/receive.ts'

export interface ServerOptions {
  family: FamilyName
  policies: Policies
  tamper: Tamper
}

export function serveLines({ family, policies, tamper }: ServerOptions, write: (text: string) => void): StdioServer {
  const begin = family === 'stateful' ? oneSession : () => ({ receive: receiveStateless.bind(undefined, policies) })
  return serveStdio(policies, tamper, write, begin)
}

export const serveEndpointOf = ({ family, policies, tamper }: ServerOptions, port = 0): Promise<HttpServer> =>
  serveHttp(policies, tamper, port, family === 'stateful' ? sessionsOver : statelessMethods)
