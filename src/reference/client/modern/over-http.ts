import type { ClientPolicies } from '../policies.ts'
import { versionIn } from './headers.ts'

/** The policies for an endpoint without sessions: nothing is resumed, and what is given up is not told. */
export const overHttp = (policies: ClientPolicies): ClientPolicies => ({
  ...policies,
  versionHeader: view => policies.versionHeader({ ...view, version: versionIn(view.message) ?? view.version }),
  headers: view => ({ ...policies.headers(view), ...policies.modern.headers(view.message) }),
  resumes: () => 'give up',
  onGiveUp: () => [],
})
