import type { AnyClientScenario } from './client-scenario.ts'
import type { AnyMonitor } from './monitor-definition.ts'
import type { AnyScenario } from './server-scenario.ts'

/** What a file under suites/ exports. */
export type AnySuite = AnyScenario | AnyClientScenario | AnyMonitor
