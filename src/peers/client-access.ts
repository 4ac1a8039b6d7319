/** How a client under test is started: it is given a server, over HTTP by URL, over stdio by the words that start it. */
import type { Via } from '../spec/catalogue.ts'
import type { Running } from './process.ts'

export interface GivenToClient {
  /** MCP_CONFORMANCE_SCENARIO and the other variables of the contract */
  env: Record<string, string>
  /** HTTP: the endpoint of our server */
  url?: string
  /** stdio: where the relay connects */
  path?: string
}

export interface ClientAccess {
  via: Via
  launch(given: GivenToClient): Running
}
