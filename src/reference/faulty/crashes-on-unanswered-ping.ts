/** Pings its client after the handshake and aborts when no answer comes in time. */
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    greets: (when: 'answered' | 'initialized') => (when === 'initialized' ? [{ method: 'ping' }] : []),
    askTimeoutMs: 30,
    onAskTimeout: () => process.abort(),
  },
})
