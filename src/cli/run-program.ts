/** For tests: the program as its user runs it, from the built tree, in a folder of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../report/report.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'bin/mcp-conformance.js')

export interface Ran {
  code: number | null
  out: string
  err: string
  dir: string
  report(): Report
  /** the most memory that our own process had, in KiB; 0 where that cannot be seen */
  peakKb(): number
}

export function run(args: string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void): Promise<Ran> {
  const dir = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const child = spawn(process.execPath, [program, ...args], { cwd: dir, env: { ...process.env, NO_COLOR: '1' } })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  onStart?.(signal => child.kill(signal))
  let peakKb = 0
  const sample = setInterval(() => {
    peakKb = Math.max(peakKb, memoryOf(child.pid))
  }, 50)
  return new Promise(resolve => {
    child.once('close', code => {
      clearInterval(sample)
      resolve({
        code,
        out,
        err,
        dir,
        report: () => JSON.parse(readFileSync(join(dir, 'reports/report.json'), 'utf8')),
        peakKb: () => peakKb,
      })
    })
  })
}

/** True while a process with this mark in its command line is there. */
export function isRunning(mark: string): boolean {
  try {
    return execFileSync('pgrep', ['-f', mark], { encoding: 'utf8' }).trim() !== ''
  } catch {
    return false
  }
}

export function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
