/** Aborts when its client reports a root that is not there. */
import { parseJson } from '../../wire/json-rpc.ts'
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: {
    parse(text) {
      if (text.includes('no-such-directory')) process.abort()
      return parseJson(text)
    },
  },
})
