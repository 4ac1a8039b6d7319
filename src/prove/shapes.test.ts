/**
 * For each definition that a side can send, a message with a fault in just that definition: the
 * monitor turns red and names the place. The messages are made from the schemas themselves, with the
 * definition exchanged for values that it forbids.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import monitor from '../../suites/monitors/schema.ts'
import type { Speaker } from '../spec/catalogue.ts'
import { loadProtocol, nameIn, type Part, type Protocol } from '../spec/protocol.ts'
import { type Revision, STATEFUL } from '../spec/revision.ts'
import { eachFault, valuesOf } from '../spec/schema-values.ts'
import { matches } from '../spec/schemas.ts'
import type { Judgement } from '../suite/judgement.ts'
import type { Frame } from '../wire/log.ts'

const SEED = 20251125
/** A message may do without the definition, and a fault in it may be legal for another branch of a union: many are tried. */
const BATCHES = 30
const BATCH = 20

/** What the monitor deliberately leaves to others (see ELSEWHERE there, and the monitors for the envelope and errors). */
const JUDGED_ELSEWHERE = [
  'Meta',
  'RequestMeta',
  'WithMeta',
  'Icon',
  'Icons',
  'Capability',
  'Capabilities',
  'ListCapability',
  'ServerCapabilities',
  'ClientCapabilities',
  'InitializeRequestParams',
  'Implementation',
  'RequestId',
  'Versioned',
  'Request',
  'Notification',
  'JSONRPCRequest',
  'JSONRPCNotification',
  'JSONRPCErrorResponse',
  'Error',
  'Result',
  'EmptyResult',
  'GetTaskPayloadResult',
]

/** They have nothing of their own but their method. */
const BARE = /^(?:Ping|ListRoots|Paginated|Task)Request$|(?:ListChanged|Initialized)Notification$/

/** By the schema a choice of one that is misshapen still is a text field with members that nobody knows. */
const ABSORBED = /SingleSelect|^LegacyTitledEnumSchema$/

const SIDES = STATEFUL.flatMap(revision => (['server', 'client'] as const).map(side => ({ revision, side })))

describe.each(SIDES)('$revision: a fault of a $side in', ({ revision, side }) => {
  const protocol = loadProtocol(revision) as Protocol
  const messages = messagesOf(protocol, side)
  const reachable = [...new Set(messages.flatMap(({ definition }) => [...reachableFrom(protocol, definition)]))]

  const judged = reachable.filter(
    name =>
      !JUDGED_ELSEWHERE.includes(name) &&
      !BARE.test(name) &&
      !ABSORBED.test(name) &&
      // Of a client only its own introduction has a name and a title, and the monitor leaves the name to others.
      !(side === 'client' && name === 'Displayed'),
  )

  test.each(judged)('%s', name => {
    const carriers = messages.filter(({ definition }) => reachableFrom(protocol, definition).has(name))
    const reds = carriers.flatMap(carrier => redsOf(revision, side, protocol, carrier, name))
    expect(reds).not.toEqual([])
    expect(reds.filter(sentence => !READABLE.test(sentence))).toEqual([])
  })
})

/** The place, the message, the expected shape, and what was there. */
const READABLE =
  /^expected (?:(?:result|params|error)\S* in )?(?:the answer to|the request|the error|notifications\/)\S*.* to be .+; got .+$/

interface Message {
  definition: string
  method: string
  part: Part
}

function messagesOf(protocol: Protocol, side: Speaker): Message[] {
  const of = (from: 'client' | 'server', methods: string[], part: Part): Message[] =>
    methods.flatMap(method => {
      const definition = protocol.definitionOf(from, method, part)
      return definition === undefined ? [] : [{ definition, method, part }]
    })
  const asker = side === 'server' ? 'client' : 'server'
  return [
    ...of(side, protocol.methods(side, 'request'), 'request'),
    ...of(side, protocol.methods(side, 'notification'), 'notification'),
    ...of(asker, protocol.methods(asker, 'request'), 'result'),
    ...of(asker, protocol.methods(asker, 'request'), 'task'),
    ...of(side, ['-32042'], 'error'),
  ]
}

function reachableFrom({ document }: Protocol, definition: string): Set<string> {
  const found = new Set<string>()
  const rest = [definition]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (found.has(next)) continue
    found.add(next)
    for (const [, name] of JSON.stringify(document.$defs[next]).matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g))
      if (name !== undefined) rest.push(name)
  }
  return found
}

/** The sentences of the first message of its kind that turns the monitor red because of the definition. */
function redsOf(revision: Revision, side: Speaker, { document }: Protocol, message: Message, faulty: string): string[] {
  const resolve = ($ref: string): unknown => document.$defs[nameIn({ $ref }) ?? '']
  const right = fc.sample(valuesOf(document.$defs[faulty], resolve, 'all'), { seed: SEED, numRuns: 8 })
  const wrong = right.flatMap(value => [...eachFault(value)]).filter(value => !matches(revision, faulty, value))
  const poisoned = ($ref: string): unknown => (nameIn({ $ref }) === faulty ? { enum: wrong } : resolve($ref))
  const values = valuesOf({ $ref: message.definition }, poisoned, 'all')
  for (let batch = 0; batch < BATCHES; batch += 1) {
    for (const value of fc.sample(values, { seed: SEED + batch, numRuns: BATCH })) {
      const reds = judgementsOf(revision, side, message, value).filter(({ outcome }) => outcome === 'breaks')
      if (reds.length > 0) return reds.map(sentenceOf)
    }
  }
  return []
}

function judgementsOf(
  revision: Revision,
  side: Speaker,
  { method, part }: Message,
  value: unknown,
): Judgement<string>[] {
  const state = monitor.start({ via: 'stdio', role: side, revision: () => revision })
  const ask = { jsonrpc: '2.0', id: 1, method, params: part === 'task' ? { task: {} } : {} }
  const said = part === 'result' || part === 'task' ? { jsonrpc: '2.0', id: 1, result: value } : value
  return [frameOf('us', ask), frameOf('them', said)].flatMap(frame => [...monitor.see(state, frame)])
}

const frameOf = (from: 'us' | 'them', json: unknown): Frame => ({
  ...{ seq: 1, at: 0, channel: 'mcp', session: 's', kind: 'message', from, text: JSON.stringify(json) },
  json: JSON.parse(JSON.stringify(json)),
})

const sentenceOf = ({ expected, got }: Judgement<string>): string =>
  `expected ${expected}; got ${'text' in got ? got.text : ''}`
