/** Sends every response twice. */
import { runStdio } from '../run-stdio.ts'

runStdio({ tamper: out => (out.layer === 'message' && out.cause !== undefined ? [out, out] : [out]) })
