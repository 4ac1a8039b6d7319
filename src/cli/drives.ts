/** `mcp-conformance list --drives`: what clients are asked to do, so that an author can write a driver. */
import type { SuiteHead } from '../engine/discover.ts'
import type { Drive } from '../suite/client-scenario.ts'

interface ListedDrive extends Drive {
  /** the scenarios of ours that judge what is then seen */
  scenarios: string[]
}

/** What the scenarios of the official suite ask for; all others come with their steps. */
const OFFICIAL: Record<string, string> = {
  initialize: 'connect, list the tools, close',
  tools_call: 'connect, list the tools, call add_numbers with {"a": 5, "b": 3}, close',
  'elicitation-sep1034-client-defaults':
    'connect, call test_client_elicitation_defaults, accept the form without filling anything in, close',
  'sse-retry': 'connect, list the tools, call test_reconnection and wait for its result, close',
  'json-schema-2020-12-preservation':
    'connect, list the tools, call json_schema_echo with {"schema": <the inputSchema of json_schema_2020_12_tool as listed>}, close',
}

export function drivesOf(heads: readonly SuiteHead[]): ListedDrive[] {
  const drives = new Map<string, ListedDrive>()
  for (const { id, drive } of heads) {
    if (drive === undefined) continue
    const key = JSON.stringify(drive)
    const known = drives.get(key) ?? { ...drive, scenarios: [] }
    known.scenarios.push(id)
    drives.set(key, known)
  }
  return [...drives.values()].sort((a, b) => Number(b.name in OFFICIAL) - Number(a.name in OFFICIAL))
}

export function driveText(drives: readonly ListedDrive[]): string {
  const part = ({ name, steps, client, scenarios }: ListedDrive): string[] => [
    `  ${name}`,
    `      ${OFFICIAL[name] ?? 'connect, do these steps, close:'}`,
    ...(steps ?? []).map(step => `        ${JSON.stringify(step)}`),
    ...(client === undefined ? [] : [`      with these settings: ${JSON.stringify(client)}`]),
    `      judged by ${scenarios.length <= 2 ? scenarios.join(', ') : `${scenarios.slice(0, 2).join(', ')} and ${scenarios.length - 2} more`}`,
  ]
  return [
    'What a client is asked to do, by MCP_CONFORMANCE_SCENARIO; steps and settings come in MCP_CONFORMANCE_CONTEXT.',
    'A driver that does not know a scenario exits with 127: what it would have shown stays untested.',
    '',
    ...drives.flatMap(part),
    '',
  ].join('\n')
}
