/** Runs the reference as this very process, with whatever is exchanged in it: the frame of the programs in faulty/. */
import type { FamilyName } from '../spec/revision.ts'
import { type Tamper, untampered } from './outgoing.ts'
import { defaultPolicies, type Policies } from './policies.ts'
import { serveLines } from './servers.ts'

export interface StdioFaults {
  family?: FamilyName
  policies?: Partial<Policies>
  tamper?: Tamper
  /** where the output goes; stdout by default */
  write?: (text: string) => void
  /** what happens when stdin has ended; an exit by default */
  atEnd?: () => void
}

export function runStdio(faults: StdioFaults = {}): void {
  const {
    family = 'stateful',
    policies = {},
    tamper = untampered,
    write = text => process.stdout.write(text),
    atEnd = () => process.exit(0),
  } = faults
  const server = serveLines({ family, policies: { ...defaultPolicies(), ...policies }, tamper }, write)
  process.stdin.on('data', chunk => server.feed(chunk))
  process.stdin.once('end', () => void server.end().then(atEnd))
}
