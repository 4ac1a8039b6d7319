/** Reads lines of 64 KiB at most, as a scanner with a fixed buffer does; what is longer ends its reading. */

import { createLineReader } from '../../wire/lines.ts'
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

let ended = false
const policies = {
  ...defaultPolicies(),
  reader: (onLine: (text: string) => void) =>
    createLineReader(line => {
      if (line.flaw === 'too-long') ended = true
      else if (!ended) onLine(line.text)
    }, 64 * 1024),
}
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
