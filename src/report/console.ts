/** The report for a person at a terminal: causes first, then what was not tested, then the count. */
import { styleText } from 'node:util'
import { printable } from '../wire/mask.ts'
import { type Cause, causesOf } from './causes.ts'
import type { Report } from './report.ts'
import type { Reported } from './reported.ts'
import { furtherOf } from './sentences.ts'

type Style = Parameters<typeof styleText>[0]

/** The caller has decided about colour, so the terminal is not asked again. */
const wrap = (style: Style, on: boolean) => (text: string) =>
  on ? styleText(style, text, { validateStream: false }) : text

const paint = (on: boolean) => ({
  red: wrap('red', on),
  yellow: wrap('yellow', on),
  green: wrap('green', on),
  dim: wrap('dim', on),
  bold: wrap('bold', on),
})

type Paint = ReturnType<typeof paint>

export function renderConsole(raw: Report, color: boolean): string {
  const report = harmless(raw)
  const ink = paint(color)
  const lines: string[] = ['']
  for (const target of report.targets) lines.push(ink.bold(targetLine(target)))
  for (const trouble of report.troubles) lines.push('', ink.red(`✗ ${trouble.sentence}`))
  for (const note of report.notes) lines.push(ink.dim(`  ${note}`))

  const { summary } = report
  const many = report.targets.length > 1
  section(lines, ink.red(ink.bold('FAIL')), causesOf(report.results, 'fail'), cause => failure(cause, ink, many))
  section(
    lines,
    ink.red(ink.bold('ERROR (our own fault, please report it)')),
    causesOf(report.results, 'error'),
    cause => [`  ${cause.first.scenario}`, ...cause.first.message.split('\n').map(line => `    ${line}`)],
  )
  section(lines, ink.yellow(ink.bold('WARN')), causesOf(report.results, 'warn'), cause => warning(cause, ink, many))
  section(lines, ink.dim('INFO'), causesOf(report.results, 'info'), cause => [
    ink.dim(`  ${place(cause.first, many)}  ${cause.first.message}`),
  ])
  lines.push(...untested(report.results, ink))
  lines.push(
    '',
    ...report.coverage.map(area =>
      ink.dim(`  ${area.area.padEnd(16)} ${area.judged} of ${area.observable} observable requirements judged`),
    ),
  )
  // An empty run is never green, and says so.
  if (summary.pass + summary.fail + summary.warn + summary.info === 0) lines.push('', ink.red('Nothing was judged.'))
  lines.push('', countLine(summary, ink))
  return `${lines.join('\n')}\n`
}

const targetLine = (target: Report['targets'][number]): string => {
  const who = target.name === undefined ? '' : `${target.name} ${target.version ?? ''}`.trim()
  const version = target.protocolVersion === undefined ? '' : `, speaks ${target.protocolVersion}`
  return `${target.via}: ${target.at}${who === '' ? '' : `  (${who}${version})`}`
}

function section(lines: string[], title: string, causes: readonly Cause[], show: (cause: Cause) => string[]): void {
  if (causes.length === 0) return
  lines.push('', `${title} (${causes.length} ${causes.length === 1 ? 'cause' : 'causes'})`)
  for (const cause of causes) lines.push(...show(cause))
}

const place = (result: Reported, many: boolean): string => `${result.requirement}${many ? ` (${result.via})` : ''}`

function failure(cause: Cause, ink: Paint, many: boolean): string[] {
  const { first } = cause
  return [
    '',
    `  ${ink.red('✗')} ${ink.bold(place(first, many))}  ${first.level}`,
    `    ${first.summary}`,
    `    expected  ${first.expected}`,
    `    got       ${first.actual}`,
    ...more(first),
    ...first.excerpt.map(line => ink.dim(`      ${line}`)),
    ...alsoBreaks(cause),
    `    seen in   ${seenIn(cause)}${first.confirmed === true ? ', and again on a fresh session alone' : ''}`,
    ...(first.specUrl === undefined ? [] : [`    spec      ${first.specUrl}`]),
    `    repeat    ${first.reproduce}`,
  ]
}

/** Further tools, prompts or places with a fault of the same claim. */
function more(result: Reported): string[] {
  const further = furtherOf(result)
  return further === undefined ? [] : [`    also      ${further}`]
}

/** One observation may break several requirements. */
function alsoBreaks({ first, requirements }: Cause): string[] {
  const others = requirements.filter(id => id !== first.requirement)
  return others.length === 0 ? [] : [`    breaks    ${others.join(', ')}, too`]
}

function warning(cause: Cause, ink: Paint, many: boolean): string[] {
  const { first } = cause
  return [
    `  ${ink.yellow('!')} ${ink.bold(place(first, many))}  ${first.level}: ${first.summary}`,
    `      ${first.message}`,
    ink.dim(`      seen in ${seenIn(cause)}${first.specUrl === undefined ? '' : `  ${first.specUrl}`}`),
  ]
}

function seenIn(cause: Cause): string {
  const names = [
    ...new Set(
      [cause.first, ...cause.others].map(
        one => `${one.scenario}${one.seenIn === undefined ? '' : ` during ${one.seenIn}`}`,
      ),
    ),
  ]
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
}

/** What was not tested, by reason: many results often have one. */
function untested(results: readonly Reported[], ink: Paint): string[] {
  const reasons = new Map<string, Set<string>>()
  for (const one of results) {
    if (one.verdict !== 'untested') continue
    const ids = reasons.get(one.message) ?? new Set()
    reasons.set(one.message, ids.add(one.requirement))
  }
  if (reasons.size === 0) return []
  return [
    '',
    ink.dim('UNTESTED'),
    ...[...reasons].map(([reason, ids]) => {
      const names = [...ids]
      const shown =
        names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
      return ink.dim(`  ${reason.replace(/\.$/, '')}: ${shown}`)
    }),
  ]
}

function countLine(summary: Report['summary'], ink: Paint): string {
  const parts = [
    ink.green(`${summary.pass} passed`),
    summary.fail === 0 ? '0 failed' : ink.red(`${summary.fail} failed`),
    summary.warn === 0 ? '0 warnings' : ink.yellow(`${summary.warn} warnings`),
    `${summary.info} notes`,
    `${summary.skip} not applicable`,
    `${summary.untested} untested`,
    ...(summary.error === 0 ? [] : [ink.red(`${summary.error} harness errors`)]),
  ]
  return parts.join(', ')
}

/** What targets and servers wrote is made harmless before our own colours are added. */
const harmless = (report: Report): Report =>
  JSON.parse(JSON.stringify(report), (_key, value: unknown) =>
    typeof value === 'string' ? printable(value) : value,
  ) as Report
