/** Reads JSON by recursion and ends where the stack does. */
import { defaultPolicies } from '../policies.ts'
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    parse(text: string) {
      if (text.includes('['.repeat(500))) process.exit(134)
      return defaultPolicies().parse(text)
    },
  },
})
