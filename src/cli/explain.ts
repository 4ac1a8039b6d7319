/** `mcp-conformance explain ID`: the requirement, its page, and what checks it here. */
import { citedBy, listSuites } from '../engine/discover.ts'
import { nearest } from '../engine/select.ts'
import { loadCatalogue, specUrl } from '../spec/catalogue.ts'
import { isRevision, mayJudge } from '../spec/revision.ts'
import { EXIT } from './package.ts'
import { UsageError } from './usage.ts'

export async function explainCommand(id: string, options: { json?: boolean; spec: string }): Promise<number> {
  const { spec } = options
  if (!isRevision(spec)) throw new UsageError(`--spec ${spec} is no protocol revision.`)
  const catalogue = loadCatalogue(spec)
  const entry = catalogue.find(id)
  if (entry === undefined) {
    const near = nearest(
      id,
      catalogue.entries.map(one => one.id),
    )
    throw new UsageError(`there is no requirement ${id}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  const heads = (await listSuites()).filter(head => mayJudge(head.needs, spec))
  const checks = heads.flatMap(head =>
    Object.entries(head.claims)
      .filter(([, citation]) => citedBy(citation, spec) === id)
      .map(([claim]) => ({ scenario: head.id, claim, title: head.title })),
  )
  const url = specUrl(entry, spec)
  if (options.json === true) {
    process.stdout.write(
      `${JSON.stringify({ ...entry, ...(url === undefined ? {} : { specUrl: url }), checks }, null, 2)}\n`,
    )
    return EXIT.ok
  }
  const { level, role, summary, grade, cap, check, since, until, revisions, why } = entry
  const lines = [
    `${id}`,
    `  ${level} (${role}): ${summary}`,
    `  holds since ${since}${until === undefined ? '' : ` until ${until}`}${revisions === undefined ? '' : `; ${revisions}`}`,
    `  over ${(entry.via ?? ['stdio', 'http']).join(' and ')}; hardest verdict: ${cap ?? grade}`,
    ...(url === undefined ? [] : [`  ${url}`]),
    `  how it is checked: ${check}`,
    ...(why === undefined ? [] : [`  why not: ${why}`]),
    checks.length === 0 ? '  no scenario checks it yet' : '  checked by:',
    ...checks.map(one => `    ${one.scenario}  claim ${one.claim}: ${one.title}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return EXIT.ok
}
