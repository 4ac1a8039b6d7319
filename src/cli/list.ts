/** `mcp-conformance list`: what can be checked, by id. */
import { listSuites, type SuiteHead } from '../engine/discover.ts'
import { type Fixture, loadFixtures } from '../spec/fixtures.ts'
import { drivesOf, driveText } from './drives.ts'
import { EXIT } from './package.ts'

export async function listCommand(options: { json?: boolean; fixtures?: boolean; drives?: boolean }): Promise<number> {
  if (options.fixtures === true) {
    const fixtures = loadFixtures()
    process.stdout.write(options.json === true ? `${JSON.stringify({ fixtures }, null, 2)}\n` : contract(fixtures))
    return EXIT.ok
  }
  const heads = await listSuites()
  if (options.drives === true) {
    const drives = drivesOf(heads)
    process.stdout.write(options.json === true ? `${JSON.stringify({ drives }, null, 2)}\n` : driveText(drives))
    return EXIT.ok
  }
  process.stdout.write(options.json === true ? json(heads) : text(heads))
  return EXIT.ok
}

/** What an SDK author can implement so that more can be judged; nothing of it is demanded. */
function contract(fixtures: readonly Fixture[]): string {
  const part = (title: string, official: boolean): string[] => [
    title,
    '',
    ...fixtures
      .filter(one => one.official === official)
      .map(
        ({ kind, name, since, does }) =>
          `  ${kind.padEnd(9)}${name}${since === undefined ? '' : `  (since ${since})`}\n             ${does}`,
      ),
    '',
  ]
  return [
    'Fixtures that a server may offer. None is demanded: what is missing stays untested.',
    '',
    ...part('The contract that servers prepared for @modelcontextprotocol/conformance already fulfil:', true),
    ...part('Ours, for what that contract does not reach:', false),
  ].join('\n')
}

const requirementsOf = (head: SuiteHead): string[] => [
  ...new Set(Object.values(head.claims).flatMap(cited => (typeof cited === 'string' ? [cited] : Object.values(cited)))),
]

const viasOf = (head: SuiteHead): string[] => (head.needs.via === undefined ? ['stdio', 'http'] : [head.needs.via])

const json = (heads: readonly SuiteHead[]): string =>
  `${JSON.stringify(
    {
      scenarios: heads.map(head => ({
        id: head.id,
        title: head.title,
        role: head.sides.length === 2 ? 'both' : head.sides[0],
        via: viasOf(head),
        requirements: requirementsOf(head),
      })),
    },
    null,
    2,
  )}\n`

function text(heads: readonly SuiteHead[]): string {
  const lines: string[] = []
  let suite = ''
  for (const head of heads) {
    const next = head.id.split('/').slice(0, -1).join('/')
    if (next !== suite) lines.push('', next)
    suite = next
    lines.push(`  ${head.id}${head.needs.via === undefined ? '' : `  (${head.needs.via})`}`, `      ${head.title}`)
  }
  const claims = heads.reduce((sum, head) => sum + Object.keys(head.claims).length, 0)
  return `${lines.join('\n').trimStart()}\n\n${heads.length} scenarios and monitors, ${claims} claims\n`
}
