/** Which scenarios run against a target, and why the others do not. */
import { holdsIn, judges, loadCatalogue, type Requirement, type Side, type Via } from '../spec/catalogue.ts'
import { mayJudge, type Revision, spans } from '../spec/revision.ts'
import type { JsonObject } from '../wire/json-rpc.ts'
import { citedBy, type SuiteHead } from './discover.ts'
import { admitsClaims, admitsRequirement, admitsSuite, type Selection } from './select.ts'

export interface PlannedClaim {
  claim: string
  requirement: Requirement
}

export interface Planned {
  head: SuiteHead
  claims: PlannedClaim[]
  /** set: it does not run, and its claims are skipped for this reason */
  skip?: string
}

export function planScenarios(
  heads: readonly SuiteHead[],
  facts: { role: Side; via: Via; revision: Revision; capabilities: JsonObject },
  selection: Selection,
): Planned[] {
  const planned: Planned[] = []
  for (const head of heads) {
    if (head.role !== facts.role || !admitsSuite(selection, head) || !admitsClaims(selection, head.claims)) continue
    if (!suits(head, facts.via, facts.revision)) continue
    const claims = claimsOf(head, facts.role, facts.via, facts.revision, selection)
    if (claims.length === 0) continue
    const capability = head.needs.capability
    // What a client declares depends on its script: its scenarios look for themselves.
    const missing = facts.role === 'server' && capability !== undefined && !declares(facts.capabilities, capability)
    planned.push({
      head,
      claims,
      ...(missing ? { skip: `the target does not declare the capability ${capability}` } : {}),
    })
  }
  return planned
}

/** The monitors that watch such a run. */
export const planMonitors = (heads: readonly SuiteHead[], side: Side, selection: Selection): SuiteHead[] =>
  heads.filter(
    head =>
      head.kind === 'monitor' &&
      head.sides.includes(side) &&
      admitsSuite(selection, head) &&
      admitsClaims(selection, head.claims),
  )

const suits = (head: SuiteHead, via: Via, revision: Revision): boolean =>
  (head.needs.via === undefined || head.needs.via === via) && spans(head.needs, revision)

/** The claims about that side that exist under the revision and can be judged over the transport. */
export function claimsOf(
  head: SuiteHead,
  side: Side,
  via: Via,
  revision: Revision,
  selection?: Selection,
): PlannedClaim[] {
  if (!mayJudge(head.needs, revision)) return []
  const catalogue = loadCatalogue(revision)
  return Object.entries(head.claims).flatMap(([claim, citation]) => {
    const id = citedBy(citation, revision)
    if (id === undefined || (selection !== undefined && !admitsRequirement(selection, id))) return []
    // A revision may lack the clause: then the claim is left out of its plan.
    const requirement = catalogue.find(id)
    if (requirement === undefined) return []
    const judged =
      judges(requirement, side) &&
      holdsIn(requirement, revision) &&
      (requirement.via === undefined || requirement.via.includes(via))
    return judged ? [{ claim, requirement }] : []
  })
}

/** `resources.subscribe` reads the path: declared, and not false. */
export function declares(capabilities: JsonObject, path: string): boolean {
  let here: unknown = capabilities
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return false
    here = (here as JsonObject)[step]
  }
  return here !== false && here !== undefined && here !== null
}
