/** Reports made by hand, for the tests of the renderers. */
import type { Result } from '../engine/result.ts'
import { createReport, type Report } from './report.ts'

export const resultOf = (more: Partial<Result>): Result => ({
  scenario: 'server/ping/answers',
  claim: 'empty',
  requirement: 'ping.response.empty-result',
  area: 'ping',
  role: 'server',
  via: 'stdio',
  spec: '2025-11-25',
  level: 'MUST',
  verdict: 'pass',
  summary: 'The answer to a ping is an empty result.',
  expected: 'the result {}',
  actual: 'a result: {"pong":true}',
  specUrl: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping#behavior-requirements',
  evidence: [3, 4],
  excerpt: ['→ {"jsonrpc":"2.0","id":2,"method":"ping"}', '← {"jsonrpc":"2.0","id":2,"result":{"pong":true}}'],
  durationMs: 4,
  reproduce: 'mcp-conformance --server "node server.js" --scenario server/ping/answers',
  ...more,
})

export const reportOf = (results: Result[]): Report =>
  createReport(
    {
      version: '0.1.0',
      spec: '2025-11-25',
      seed: 1,
      startedAt: new Date(0),
      durationMs: 1234,
      cpuMs: 500,
      jobs: 2,
      callTools: 'safe',
      strict: 'no',
    },
    [
      {
        role: 'server',
        targets: [
          {
            role: 'server',
            via: 'stdio',
            at: 'node server.js',
            name: 'a',
            version: '1',
            protocolVersion: '2025-11-25',
            capabilities: {},
          },
        ],
        results,
        interrupted: false,
        unstable: false,
        processStarts: 3,
        notes: [],
      },
    ],
  )
