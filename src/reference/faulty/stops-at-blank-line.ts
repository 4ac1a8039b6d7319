/** Takes a blank line for the end of its input, stops reading, and ends. */
import { createLineReader } from '../../wire/lines.ts'
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const policies = {
  ...defaultPolicies(),
  reader: (onLine: (text: string) => void) =>
    createLineReader(({ text }) => {
      if (text.trim() === '') process.exit(0)
      onLine(text)
    }),
}
const server = serveStdio(policies, untampered, text => process.stdout.write(text))
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
