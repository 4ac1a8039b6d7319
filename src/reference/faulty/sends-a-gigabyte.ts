/** Answers the handshake, then sends a gigabyte of well-formed notifications. */
import { runStdio } from '../run-stdio.ts'

const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(60_000) } })}\n`
let left = 1024 ** 3
const flood = (): void => {
  while (left > 0) {
    left -= line.length
    if (!process.stdout.write(line)) {
      process.stdout.once('drain', flood)
      return
    }
  }
}
runStdio({ policies: { onNotification: () => void setImmediate(flood) as undefined } })
