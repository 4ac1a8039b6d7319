import { describe, expect, test } from 'vitest'
import { built } from './prove/built.ts'
import { gradeOf, judges, loadCatalogue, type Side } from './spec/catalogue.ts'
import { REVISIONS, spans } from './spec/revision.ts'

const { citedBy, headOf, loadSuite, suiteIds } =
  await built<typeof import('./engine/discover.ts')>('engine/discover.js')
const ids = suiteIds()

describe.each(ids)('%s', id => {
  test('cites requirements that exist and judge its side, and shows for each claim that it can fail', async () => {
    const suite = await loadSuite(id)
    const head = headOf(id, suite)
    const problems: string[] = []
    const sideOf = (one: object): Side =>
      'on' in one ? (String(one.on).startsWith('client/') ? 'client' : 'server') : (head.sides[0] as Side)
    const revisions = REVISIONS.filter(revision => spans(head.needs, revision))
    for (const [claim, citation] of Object.entries(head.claims)) {
      const cited = revisions.flatMap(revision => citedBy(citation, revision) ?? [])
      for (const requirement of new Set(cited)) {
        // One of the catalogues may lack the clause, where the suite spans both.
        const entry = revisions
          .map(revision => loadCatalogue(revision).find(requirement))
          .find(found => found !== undefined)
        if (entry === undefined) {
          problems.push(`${claim} cites ${requirement}, which is not in the catalogue`)
          continue
        }
        const sides = head.sides.filter(side => judges(entry, side))
        if (sides.length === 0) problems.push(`${claim} cites ${requirement}, which does not judge ${head.sides}`)
        for (const side of sides) {
          const grade = gradeOf(entry, side)
          if (grade === 'umbrella' || grade === 'none')
            problems.push(`${claim} cites ${requirement}, of grade ${grade} for ${side}s`)
          else if (grade === 'tolerance') {
            if (!(suite.variants ?? []).some(variant => sideOf(variant) === side))
              problems.push(`${claim} cites the tolerance ${requirement} without a variant`)
          } else if (!suite.defects.some(defect => defect.breaks === claim && sideOf(defect) === side)) {
            problems.push(`nothing shows that ${claim} can fail for a ${side}: it has no defect`)
          }
        }
      }
    }
    expect(problems).toEqual([])
  })

  test('has a plain sentence as title', async () => {
    const suite = await loadSuite(id)
    expect(suite.title).toMatch(/^\S.{10,}[^.]$/)
  })
})
