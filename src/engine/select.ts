/** `--suite`, `--scenario`, `--requirement`: globs over ids, repeatable, `!` in front excludes. */
import picomatch from 'picomatch'
import type { Citation } from '../suite/citation.ts'
import type { SuiteHead } from './discover.ts'

export interface Selection {
  suites: string[]
  scenarios: string[]
  requirements: string[]
}

export const everything: Selection = { suites: [], scenarios: [], requirements: [] }

/** A star crosses slashes and dots here: ids are names, not paths. */
const matcher = (glob: string): ((id: string) => boolean) => {
  const match = picomatch(glob, { bash: true, dot: true })
  // Its second parameter must not be the index that `some` and `filter` pass along.
  return id => match(id)
}

function admits(globs: readonly string[], names: readonly string[]): boolean {
  const includes = globs.filter(glob => !glob.startsWith('!'))
  const excludes = globs.filter(glob => glob.startsWith('!')).map(glob => glob.slice(1))
  const hit = (glob: string): boolean => names.some(matcher(glob))
  return (includes.length === 0 || includes.some(hit)) && !excludes.some(hit)
}

/** The names by which a suite answers: `lifecycle`, `server/lifecycle`, `monitors/envelope`, its id. */
export const suiteNames = (head: SuiteHead): string[] => [
  head.area,
  `${head.id.split('/').slice(0, -1).join('/')}`,
  head.id,
]

export const admitsSuite = (selection: Selection, head: SuiteHead): boolean =>
  admits(selection.suites, suiteNames(head)) && admits(selection.scenarios, [head.id])

export const admitsRequirement = (selection: Selection, requirement: string): boolean =>
  admits(selection.requirements, [requirement])

export const admitsClaims = (selection: Selection, claims: Record<string, Citation>): boolean =>
  Object.values(claims).some(citation =>
    (typeof citation === 'string' ? [citation] : Object.values(citation)).some(id => admitsRequirement(selection, id)),
  )

/** A glob that matches nothing is a mistake; the nearest name helps to mend it. */
export function unmatched(
  globs: readonly string[],
  names: readonly string[],
): { glob: string; nearest: string | undefined }[] {
  return globs
    .map(glob => glob.replace(/^!/, ''))
    .filter(glob => !names.some(matcher(glob)))
    .map(glob => ({ glob, nearest: nearest(glob, names) }))
}

/** The name with the fewest edits from `word`, if it is near enough to be meant. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  let best: { name: string; edits: number } | undefined
  for (const name of names) {
    const edits = distance(word, name)
    if (best === undefined || edits < best.edits) best = { name, edits }
  }
  return best !== undefined && best.edits <= Math.max(2, word.length * 0.4) ? best.name : undefined
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1)
    }
    row = next
  }
  return row[b.length] as number
}
