/**
 * JUnit XML as CI systems read it: a suite an area and transport, a test case a claim. Warnings are
 * visible (system-out and a property) but not red; what was not tested is skipped with its reason.
 */
import { createRequire } from 'node:module'
import type { Builder, TestSuite } from 'junit-report-builder'
import { printable } from '../wire/mask.ts'
import type { Report } from './report.ts'
import type { Reported } from './reported.ts'
import { faultOf, furtherOf } from './sentences.ts'

// The package's types promise a `default` member that its CommonJS file does not have.
const builders = createRequire(import.meta.url)('junit-report-builder') as Builder

export function renderJunit(report: Report): string {
  const builder = builders.newBuilder()
  for (const [name, results] of bySuite(report.results)) {
    const suite = builder.testSuite().name(name).timestamp(report.startedAt)
    suite.time(results.reduce((sum, result) => sum + result.durationMs, 0) / 1000)
    suite.property('spec', report.spec)
    suite.property('seed', String(report.seed))
    const target = report.targets.find(one => one.via === results[0]?.via)
    if (target !== undefined) {
      suite.property('target', clean(target.at))
      if (target.name !== undefined)
        suite.property('target.name', clean(`${target.name} ${target.version ?? ''}`.trim()))
      if (target.protocolVersion !== undefined) suite.property('target.protocolVersion', clean(target.protocolVersion))
    }
    for (const result of results) addCase(suite, result)
  }
  for (const trouble of report.troubles) {
    const suite = builder.testSuite().name(`target.${trouble.via}`).timestamp(report.startedAt)
    suite
      .testCase()
      .className(`target.${trouble.via}`)
      .name('the target can be tested')
      .error(clean(trouble.sentence), trouble.kind)
  }
  // The common schema has no such attribute on the root; the suites carry it.
  return builder.build().replace(/^(<testsuites\b[^>]*?) skipped="\d+"/m, '$1')
}

/**
 * Properties stand at the suite, named by the test case, because the common schema (that of the
 * Jenkins xUnit plug-in) admits none inside a test case.
 */
function addCase(suite: TestSuite, result: Reported): void {
  const name = `${result.scenario} ${result.claim}`
  const test = suite
    .testCase()
    .className(`${result.role}.${result.via}.${result.area}`)
    .name(`${name}: ${result.requirement}`)
    .time(result.durationMs / 1000)
  suite.property(`requirement of ${name}`, result.requirement)
  if (result.verdict === 'warn' || result.verdict === 'info')
    suite.property(`${result.verdict} in ${name}`, clean(result.message))
  const text = clean(details(result))
  switch (result.verdict) {
    case 'pass':
      return
    case 'fail':
      test.failure(clean(`${result.summary} ${result.message}`), clean(faultOf(result)))
      test.standardOutput(text)
      return
    case 'error':
      test.error(clean(result.message), 'harness error')
      return
    case 'skip':
    case 'untested':
      test.skipped()
      test.standardOutput(clean(`${result.verdict}: ${result.message}`))
      return
    default:
      test.standardOutput(`${result.verdict}: ${text}`)
  }
}

const details = (result: Reported): string =>
  [
    result.message,
    ...(furtherOf(result) === undefined ? [] : [`further faulty: ${furtherOf(result)}`]),
    `requirement: ${result.requirement} (${result.level}): ${result.summary}`,
    ...(result.specUrl === undefined ? [] : [`specification: ${result.specUrl}`]),
    ...result.excerpt,
    `repeat: ${result.reproduce}`,
  ].join('\n')

/** XML 1.0 knows no control characters, not even escaped, and no lone surrogates; a CDATA section ends at its first `]]>`. */
const clean = (text: string): string =>
  Buffer.from(printable(text), 'utf8')
    .toString('utf8')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(']]>', ']] >')

function bySuite(results: readonly Reported[]): [string, Reported[]][] {
  const suites = new Map<string, Reported[]>()
  for (const result of results) {
    const name = `${result.role}.${result.via}.${result.area}`
    suites.set(name, [...(suites.get(name) ?? []), result])
  }
  return [...suites].sort(([a], [b]) => (a < b ? -1 : 1))
}
