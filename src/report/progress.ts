/** What is shown while the run goes on: one line that is rewritten, or nothing where there is no terminal. */
import type { RunEvent } from '../engine/events.ts'
import { short } from '../wire/excerpt.ts'

export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

export function createProgress(stream: ProgressStream): (event: RunEvent) => void {
  if (stream.isTTY !== true) return () => {}
  let failed = 0
  const line = (text: string): void => {
    stream.write(`\r\u001b[2K${short(text, (stream.columns ?? 80) - 2)}`)
  }
  return event => {
    switch (event.type) {
      case 'target-opened':
        return line(`${event.target.via}: connected to ${event.target.name ?? event.target.at}`)
      case 'run-started':
        return line(`0/${event.planned} scenarios`)
      case 'scenario-started':
        return undefined
      case 'scenario-ended':
        failed += event.results.filter(result => result.verdict === 'fail').length
        return line(`${event.done}/${event.planned} scenarios, ${failed} failed   ${event.id}`)
      case 'confirming':
        return line(`running again, alone: ${event.id}`)
      case 'run-ended':
        stream.write('\r\u001b[2K')
        return undefined
    }
  }
}
