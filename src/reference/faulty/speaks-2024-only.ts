/** Not faulty, only old: a server that knows the first revision and no other. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { versions: ['2024-11-05'] } })
