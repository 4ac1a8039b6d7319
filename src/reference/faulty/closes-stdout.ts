/** Closes its stdout after two answers, and lives on. */
import { closeSync, writeSync } from 'node:fs'
import { untampered } from '../outgoing.ts'
import { defaultPolicies } from '../policies.ts'
import { serveStdio } from '../server/stdio.ts'

const STDOUT = 1
let answers = 0
const server = serveStdio(defaultPolicies(), untampered, text => {
  answers += 1
  if (answers <= 2) writeSync(STDOUT, text)
  if (answers === 2) closeSync(STDOUT)
})
process.stdin.on('data', chunk => server.feed(chunk))
process.stdin.once('end', () => void server.end().then(() => process.exit(0)))
