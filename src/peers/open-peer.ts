/** Builds a ServerPeer over a link and opens the conversation in the words of its family. */
import type { Conversation, Hello } from '../dialects/family.ts'
import { failure, type JsonObject, result } from '../wire/json-rpc.ts'
import type { WireLog } from '../wire/log.ts'
import { sleep } from '../wire/wait.ts'
import { type Barrier, createBarrier } from './barrier.ts'
import { mayCall } from './call-tools-policy.ts'
import { type Correlator, createCorrelator } from './correlator.ts'
import { createEndpoint } from './endpoint.ts'
import { createHandlers } from './handlers.ts'
import { createHeard } from './heard.ts'
import type { HttpLink } from './http-link.ts'
import { joined } from './joined.ts'
import type { Link, LinkEvents } from './link.ts'
import { createOpening, type Opening } from './opening.ts'
import { createRequests, type PeerCore, type Requests } from './requests.ts'
import type { ServerPeer } from './server-peer.ts'
import type { StdioLink } from './stdio-link.ts'
import type { CallTools, Timeouts } from './target.ts'

export { showsLife } from './barrier.ts'

/** What the engine needs beyond what scenarios see. */
export interface OpenPeer
  extends ServerPeer,
    Pick<Opening, 'opened' | 'introduction'>,
    Pick<Barrier, 'liveness' | 'alive' | 'findLiveness'> {
  /** The scenario in force; what the one before set up (handlers, further sessions) is undone. */
  enter(scenario: string): void
  leave(): Promise<void>
  close(): Promise<void>
  /** Gone for good: process ended or output closed. */
  readonly isGone: boolean
}

export interface PeerParts {
  link: StdioLink | HttpLink
  log: WireLog
  conversation: Conversation
  timeouts: Timeouts
  hello: Hello | 'no-handshake'
  /** Addresses of this host beside loopback, where we started the server ourselves. */
  elsewhere?: string[]
  callTools: CallTools
  /** Sets where the link's messages go. */
  listen(events: LinkEvents): void
  /** Opens a further session on the same target. */
  another(hello: Hello | 'no-handshake', scenario: string | undefined): Promise<OpenPeer>
}

export async function openPeer(parts: PeerParts): Promise<OpenPeer> {
  const { link, log, conversation, timeouts } = parts
  const http = link.via === 'http' ? (link as HttpLink) : undefined
  const capabilities = parts.hello === 'no-handshake' ? {} : (parts.hello.capabilities ?? {})
  const handlers = createHandlers(conversation.family, capabilities)
  // One for the life of the link: requests of one scenario may be answered while the next one runs.
  const correlator = createCorrelator(answersTo(conversation, link), handlers.find)
  const around: PeerCore = {
    channel: { link, http, conversation, correlator, log },
    heard: createHeard(),
    handlers,
    timeouts,
  }
  parts.listen({ message: frame => hear(around, correlator, frame) })
  const opening = createOpening(conversation)
  const requests = createRequests(around)
  const peer: OpenPeer = joined(
    opening,
    createBarrier(around, requests),
    createEndpoint({ http, conversation, timeouts, elsewhere: parts.elsewhere ?? [] }),
    speaking(parts, around, requests),
    livingOn(parts, around),
  )
  if (parts.hello !== 'no-handshake') await open(conversation, opening, requests, timeouts.handshakeMs)
  return peer
}

function hear(around: PeerCore, correlator: Correlator, frame: Parameters<LinkEvents['message']>[0]): void {
  around.heard.add(frame)
  around.channel.conversation.learn(frame.json)
  correlator.receive(frame)
}

/** Where a family has no answers of ours, the server's requests stay unanswered; the monitors see them. */
const answersTo =
  (conversation: Conversation, link: Link): Parameters<typeof createCorrelator>[0] =>
  (id, answer) => {
    if (conversation.family.answersBy === 'retries') return
    const message: JsonObject =
      'result' in answer
        ? result(id, answer.result)
        : failure(id, answer.error.code, answer.error.message, answer.error.data)
    link.send(JSON.stringify(message))
  }

async function open(conversation: Conversation, opening: Opening, requests: Requests, withinMs: number): Promise<void> {
  const { method, params } = conversation.opening
  const reply = await requests.send(method, params, { withinMs })
  opening.adopt(reply)
  if (reply.kind === 'result' && conversation.confirmation !== undefined)
    await requests.notify(conversation.confirmation)
}

type Speaking = Pick<
  OpenPeer,
  | 'via'
  | 'hello'
  | 'timeouts'
  | 'mayCall'
  | 'request'
  | 'notify'
  | 'draft'
  | 'bytes'
  | 'on'
  | 'heard'
  | 'mark'
  | 'pause'
  | 'process'
>

/** Says what it is told to say, and knows what it has heard. */
const speaking = (parts: PeerParts, { channel, heard, handlers }: PeerCore, requests: Requests): Speaking => ({
  via: parts.link.via,
  hello: channel.conversation.opening,
  timeouts: parts.timeouts,
  mayCall: tool => mayCall(tool, parts.callTools),
  request: requests.send,
  notify: requests.notify,
  draft: requests.draft,
  async bytes(part) {
    channel.link.send(typeof part === 'string' ? new TextEncoder().encode(part) : part, { intended: 'fault' })
  },
  on: handlers.on,
  heard: (mark = 0) => heard.since(mark),
  get mark() {
    return parts.log.size
  },
  pause: sleep,
  ...('process' in parts.link ? { process: parts.link.process } : {}),
})

type Living = Pick<OpenPeer, 'isGone' | 'another' | 'enter' | 'leave' | 'close'>

/** From scenario to scenario, and to the end. */
function livingOn({ link, another }: PeerParts, { handlers, heard }: PeerCore): Living {
  let children: OpenPeer[] = []
  let scenarios = 0
  const leave = async (): Promise<void> => {
    const ending = children
    children = []
    handlers.reset()
    await Promise.all(ending.map(child => child.close()))
  }
  return {
    get isGone() {
      return link.isGone
    },
    async another(next = {}) {
      const child = await another(next, link.labels.scenario)
      children.push(child)
      return child
    },
    enter(scenario) {
      link.labels.scenario = scenario
      scenarios += 1
      // What was said to the scenario before is none of this one's business; the first hears all since the opening.
      if (scenarios > 1) heard.forget()
      handlers.reset()
    },
    leave,
    async close() {
      await leave()
      await link.close()
    },
  }
}
