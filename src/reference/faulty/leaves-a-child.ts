/** Starts a child that keeps stdout open when the server itself is gone. */
import { spawn } from 'node:child_process'
import { runStdio } from '../run-stdio.ts'

spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)', 'child-of-leaves-a-child'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
runStdio()
