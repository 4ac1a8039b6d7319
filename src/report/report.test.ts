import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createMask } from '../wire/mask.ts'
import { causesOf } from './causes.ts'
import { renderConsole } from './console.ts'
import { masked } from './report.ts'
import { reportOf, resultOf } from './sample.ts'

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv2020({ allErrors: true }).compile(schema)

describe('the report', () => {
  test('has the form that report.schema.json describes', () => {
    const report = reportOf([
      resultOf({}),
      resultOf({
        verdict: 'fail',
        kind: 'wrong-value',
        subject: 'ping',
        confirmed: true,
        seenIn: 'server/x/y',
        further: [{ kind: 'silent', outcome: 'breaks', expected: 'x', actual: 'y', evidence: [], excerpt: [] }],
        furtherCount: 30,
      }),
      resultOf({
        verdict: 'warn',
        kind: 'late',
        confirmed: false,
        repeat: { kind: 'silent', verdict: 'fail', actual: 'x' },
      }),
      resultOf({ verdict: 'untested', reason: 'why' }),
    ])
    report.troubles.push({ at: 'x', via: 'http', kind: 'died', sentence: 'x ended.' })
    validate(JSON.parse(JSON.stringify(report)))
    expect(validate.errors ?? []).toEqual([])
  })

  test.each([
    [[resultOf({})], 0],
    [[resultOf({ verdict: 'warn' })], 0],
    [[resultOf({ verdict: 'fail' })], 1],
    [[resultOf({ verdict: 'fail' }), resultOf({ verdict: 'error' })], 4],
    [[resultOf({ verdict: 'untested' }), resultOf({ verdict: 'skip' })], 3],
    [[], 3],
  ])('exit code %#', (results, exit) => {
    expect(reportOf(results).exitCode).toBe(exit)
  })

  const red = { verdict: 'fail', kind: 'wrong-code' } as const
  const causes = (...results: Parameters<typeof resultOf>[0][]) =>
    causesOf(reportOf(results.map((more, index) => resultOf({ evidence: [index], ...red, ...more }))).results, 'fail')

  test('groups results of one requirement, kind and subject', () => {
    const found = causes({}, { scenario: 'server/x/y' }, { kind: 'silent' }, { subject: 'a' })
    expect(found.map(cause => cause.others.length)).toEqual([1, 0, 0])
  })

  test('takes one observation that breaks several requirements for one cause', () => {
    const other = { requirement: 'base.error.code-integer', evidence: [7] }
    const found = causes(
      { evidence: [7] },
      other,
      { ...other, kind: 'silent' },
      { ...other, evidence: [8], subject: 'a' },
    )
    expect(found.map(cause => cause.requirements)).toEqual([
      ['ping.response.empty-result', 'base.error.code-integer'],
      ['base.error.code-integer'],
      ['base.error.code-integer'],
    ])
  })

  test('takes what a monitor and a scenario see in one frame for one cause', () => {
    const found = causes(
      { scenario: 'monitors/schema', seenIn: 'server/x/y', kind: 'wrong-type', subject: 'result', evidence: [7] },
      { evidence: [7] },
      { evidence: [8], subject: 'another' },
    )
    expect(found.map(cause => [cause.first.scenario, cause.others.length])).toEqual([
      ['server/ping/answers', 1],
      ['server/ping/answers', 0],
    ])
  })

  test('writes no secrets', () => {
    const report = reportOf([resultOf({ verdict: 'fail', excerpt: ['← {"access_token":"abc"} hunter2hunter2'] })])
    expect(JSON.stringify(masked(report, createMask(['hunter2hunter2'])))).not.toMatch(/hunter2|"abc/)
  })
})

describe('the console report', () => {
  test('shows cause, requirement, expected and got, the wire, the page and the command that repeats it', () => {
    const text = renderConsole(reportOf([resultOf({ verdict: 'fail', kind: 'wrong-value', confirmed: true })]), false)
    expect(text).toMatchInlineSnapshot(`
      "
      stdio: node server.js  (a 1, speaks 2025-11-25)

      FAIL (1 cause)

        ✗ ping.response.empty-result  MUST
          The answer to a ping is an empty result.
          expected  the result {}
          got       a result: {"pong":true}
            → {"jsonrpc":"2.0","id":2,"method":"ping"}
            ← {"jsonrpc":"2.0","id":2,"result":{"pong":true}}
          seen in   server/ping/answers, and again on a fresh session alone
          spec      https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping#behavior-requirements
          repeat    mcp-conformance --server "node server.js" --scenario server/ping/answers

        ping             1 of 9 observable requirements judged

      0 passed, 1 failed, 0 warnings, 0 notes, 0 not applicable, 0 untested
      "
    `)
  })

  test('lets no escape sequence of the target through', () => {
    const text = renderConsole(
      reportOf([resultOf({ verdict: 'fail', actual: '\u001b]0;evil\u0007\u001b[2J', excerpt: ['\u001b[5m'] })]),
      true,
    )
    const ours = /\p{Cc}\[(?:1|2|22|31|32|33|39)m/gu
    expect(text.replace(ours, '').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})
