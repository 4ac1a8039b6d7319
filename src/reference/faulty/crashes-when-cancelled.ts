/** Aborts when a cancellation comes in, as if it had answered the request already. */
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    onNotification({ method }) {
      if (method === 'notifications/cancelled') process.abort()
      return undefined
    },
  },
})
