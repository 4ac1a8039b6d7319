import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createMask } from '../wire/mask.ts'
import { renderConsole } from './console.ts'
import { causesOf, masked } from './report.ts'
import { reportOf, resultOf } from './sample.ts'

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv2020({ allErrors: true }).compile(schema)

describe('the report', () => {
  test('has the form that report.schema.json describes', () => {
    const report = reportOf([
      resultOf({}),
      resultOf({ verdict: 'fail', confirmed: true, cause: 'c', seenIn: 'server/x/y' }),
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

  test('groups results with one cause', () => {
    const red = { verdict: 'fail', cause: 'same' } as const
    const causes = causesOf(
      [resultOf(red), resultOf({ ...red, scenario: 'server/x/y' }), resultOf({ ...red, cause: 'other' })],
      'fail',
    )
    expect(causes.map(cause => cause.others.length)).toEqual([1, 0])
  })

  test('takes what a monitor and a scenario see in one frame for one cause', () => {
    const red = { verdict: 'fail' as const, evidence: [7] }
    const causes = causesOf(
      [
        resultOf({ ...red, scenario: 'monitors/schema', cause: 'm' }),
        resultOf({ ...red, cause: 's' }),
        resultOf({ ...red, cause: 'o', evidence: [8] }),
      ],
      'fail',
    )
    expect(causes.map(cause => [cause.first.scenario, cause.others.length])).toEqual([
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
    const text = renderConsole(reportOf([resultOf({ verdict: 'fail', confirmed: true, cause: 'c' })]), false)
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
      reportOf([resultOf({ verdict: 'fail', got: '\u001b]0;evil\u0007\u001b[2J', excerpt: ['\u001b[5m'] })]),
      true,
    )
    const ours = /\p{Cc}\[(?:0|1|2|31|32|33)m/gu
    expect(text.replace(ours, '').replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})
