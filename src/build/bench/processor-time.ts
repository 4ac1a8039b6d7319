/** Processor time as the kernel keeps it; 0 where there is no /proc. */
import { readFileSync } from 'node:fs'

/** Clock ticks a second, as everywhere on Linux. */
const TICKS = 100

/** Fields of /proc/PID/stat behind the name of the command, which may hold anything. */
const OWN = [11, 12] as const
const CHILDREN = [13, 14] as const

/** Milliseconds that a process has used, with its children that it has waited for. */
export const usedBy = (pid: number): number => ticksOf(String(pid), [...OWN, ...CHILDREN])

/** Milliseconds that the children of this process have used that have ended, with theirs. */
export const usedByChildren = (): number => ticksOf('self', CHILDREN)

function ticksOf(pid: string, fields: readonly number[]): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const values = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (fields.reduce((sum, field) => sum + Number(values[field]), 0) * 1000) / TICKS
  } catch {
    return 0
  }
}
