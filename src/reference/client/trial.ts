/** For tests: the reference client against the reference server, and against servers that say what a test wants. */
import { PassThrough } from 'node:stream'
import { isObject, type Json, type JsonObject, result } from '../../wire/json-rpc.ts'
import { createLineReader } from '../../wire/lines.ts'
import { signal } from '../../wire/wait.ts'
import { type Outgoing, type Tamper, untampered } from '../outgoing.ts'
import { defaultPolicies, type Policies } from '../policies.ts'
import { serveHttp } from '../server/http.ts'
import { serveStdio } from '../server/stdio.ts'
import { type ClientPolicies, correctClient } from './policies.ts'
import { runClient, type ServerProcess } from './run.ts'

export const EVERYTHING = {
  roots: [{ uri: 'file:///project', name: 'project' }],
  sampling: { answer: {}, tools: true },
  elicitation: { action: 'accept', url: true },
  tasks: true,
}

export interface Ran {
  code: number
  outcomes: JsonObject[]
  /** what went out, message by message */
  sent: JsonObject[]
  requests: Extract<Outgoing, { layer: 'request' }>[]
  text: string
}

export type Via = 'http' | 'stdio'

export interface Setup {
  steps?: JsonObject[]
  client?: JsonObject
  scenario?: string
  policies?: Partial<ClientPolicies>
  server?: Partial<Policies>
  tamper?: Tamper
  signal?: AbortSignal
  version?: string
}

export async function run(via: Via, setup: Setup): Promise<Ran> {
  const server = { ...defaultPolicies(), ...setup.server }
  const tamper = setup.tamper ?? untampered
  const http = via === 'http' ? await serveHttp(server, tamper) : undefined
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  const watch: Tamper = out => {
    if (out.layer === 'message') ran.sent.push(out.message as JsonObject)
    if (out.layer === 'request') ran.requests.push(out)
    return [out]
  }
  const name = setup.scenario ?? 'test'
  const context = { name, client: setup.client ?? EVERYTHING, steps: setup.steps }
  ran.code = await runClient({ ...correctClient(), ...setup.policies }, watch, {
    args: http === undefined ? [] : [http.url],
    env: {
      MCP_CONFORMANCE_SCENARIO: name,
      ...(setup.steps === undefined ? {} : { MCP_CONFORMANCE_CONTEXT: JSON.stringify(context) }),
      ...(http !== undefined ? {} : { MCP_CONFORMANCE_SERVER_COMMAND: '["inside"]' }),
      ...(setup.version === undefined ? {} : { MCP_CONFORMANCE_PROTOCOL_VERSION: setup.version }),
    },
    out: text => {
      ran.text += text
      if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
    },
    launch: () => inside(server, tamper),
    ...(setup.signal === undefined ? {} : { signal: setup.signal }),
  })
  await http?.close()
  return ran
}

export function inside(policies: Policies, tamper: Tamper): ServerProcess {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const exited = signal<void>()
  const server = serveStdio(policies, tamper, text => stdout.write(text))
  stdin.on('data', (chunk: Buffer) => server.feed(chunk))
  const leave = (): void => {
    stdout.end()
    exited.resolve()
  }
  stdin.once('end', () => {
    if (policies.onEof === 'exit') void server.end().then(leave)
  })
  return {
    stdin,
    stdout,
    stderr,
    exited: exited.promise,
    kill: name => (name === 'SIGKILL' || policies.onTerminate === 'exit') && leave(),
  }
}

export const request = (method: string, params?: JsonObject, more: JsonObject = {}): JsonObject => ({
  request: method,
  ...(params === undefined ? {} : { params }),
  ...more,
})
export const call = (name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  request('tools/call', { name, arguments: args }, more)

export const kinds = ({ outcomes }: Ran): unknown[] => outcomes.map(({ outcome }) => outcome)
export const methods = ({ sent }: Ran): unknown[] => sent.flatMap(({ method }) => method ?? [])
export const answersTo = ({ sent }: Ran): JsonObject[] =>
  sent
    .filter(message => message.method === undefined && isObject(message.result))
    .map(({ result }) => result as JsonObject)

export const BOTH: Via[] = ['http', 'stdio']

/** A server that says what the test wants: each message of the client may be answered by several. */
export type Script = (message: JsonObject, say: (message: JsonObject) => void, end: () => void) => void

export async function runScripted(script: Script, setup: { client?: JsonObject; steps: JsonObject[] }): Promise<Ran> {
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  ran.code = await runClient(correctClient(), untampered, {
    args: [],
    env: {
      MCP_CONFORMANCE_SERVER_COMMAND: '["inside"]',
      MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'test', client: EVERYTHING, ...setup }),
    },
    out: text => {
      ran.text += text
      if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
    },
    launch: () => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const exited = signal<void>()
      const end = (): void => {
        stdout.end()
        exited.resolve()
      }
      const reader = createLineReader(({ json }) => {
        const message = json as JsonObject
        ran.sent.push(message)
        const say = (said: JsonObject): void => void (stdout.writable && stdout.write(`${JSON.stringify(said)}\n`))
        if (message.method === 'initialize') say(result(message.id as Json, INTRODUCTION))
        script(message, say, end)
      })
      stdin.on('data', chunk => reader.feed(chunk))
      stdin.once('end', end)
      return { stdin, stdout, stderr, exited: exited.promise, kill: end }
    },
  })
  return ran
}

export const INTRODUCTION: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'script', version: '1' },
}

export async function runAgainst(url: string, steps: JsonObject[]): Promise<Ran> {
  const ran: Ran = { code: -1, outcomes: [], sent: [], requests: [], text: '' }
  ran.code = await runClient(
    correctClient(),
    out => {
      if (out.layer === 'request') ran.requests.push(out)
      return [out]
    },
    {
      args: [url],
      env: { MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: 'test', client: {}, steps }) },
      out: text => {
        if (text.startsWith('{"step"')) ran.outcomes.push(JSON.parse(text))
      },
      launch: () => inside(defaultPolicies(), untampered),
    },
  )
  return ran
}
