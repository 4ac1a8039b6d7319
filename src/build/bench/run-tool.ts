/** One run of ours, and what it cost whom. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usedByChildren } from './processor-time.ts'
import { countWire } from './wire-counts.ts'

export interface Cost {
  wallMs: number
  /** of our own process */
  ownMs: number
  /** of the target: all that our process started and waited for */
  targetMs: number
  starts: number
  sessions: number
  requests: number
}

/** What came out, the same in each run. */
export interface Yield {
  claims: number
  judged: number
}

export function runToEnd(file: string, args: readonly string[], folder: string): Promise<number> {
  const began = performance.now()
  return new Promise(resolve => {
    const child = spawn(file, args, { cwd: folder, stdio: 'ignore' })
    child.once('close', () => resolve(performance.now() - began))
    child.once('error', () => resolve(Number.NaN))
  })
}

export async function runTool(program: string, args: readonly string[], folder: string): Promise<Cost & Yield> {
  const before = usedByChildren()
  const words = [program, ...args, '--quiet', '--report', 'json=report.json']
  const wallMs = await runToEnd(process.execPath, words, folder)
  const usedMs = usedByChildren() - before
  const { cost, results, summary } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  const wire = countWire(readFileSync(join(folder, 'report.wire.jsonl'), 'utf8'))
  return {
    wallMs,
    ownMs: cost.cpuMs,
    targetMs: Math.max(0, usedMs - cost.cpuMs),
    starts: cost.processStarts,
    ...wire,
    claims: results.length,
    judged: results.length - summary.skip - summary.untested - summary.error,
  }
}
