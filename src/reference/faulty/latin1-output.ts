/** Writes its answers in Latin-1: the umlaut in its name is one byte that is no UTF-8. */
import { runStdio } from '../run-stdio.ts'

runStdio({
  policies: { serverInfo: { name: 'übel', version: '1' } },
  write: text => process.stdout.write(text, 'latin1'),
})
