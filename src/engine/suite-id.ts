/** The id of a suite is its path under suites/; what it is follows from the path, and is read here only. */
import { ROLES, type Side } from '../spec/catalogue.ts'

export type MonitorId = `monitors/${string}`
export type ScenarioId = `${Side}/${string}`
export type SuiteId = MonitorId | ScenarioId

/** The conversation that a run begins with belongs to no suite. */
export const SANITY = 'sanity'

export const isMonitorId = (id: string): id is MonitorId => id.startsWith('monitors/')

/** The role of the target that a scenario is for; undefined for what is no scenario. */
export const roleIn = (id: string): Side | undefined => ROLES.find(role => id.startsWith(`${role}/`))

export function areaIn(id: SuiteId): string {
  const [, area = ''] = id.split('/')
  return area
}

export function suiteId(text: string): SuiteId {
  if (isMonitorId(text) || roleIn(text) !== undefined) return text as SuiteId
  throw new Error(`suites/${text}.ts lies in no folder for monitors or for a role (${ROLES.join(', ')})`)
}
