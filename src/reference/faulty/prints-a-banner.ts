/** Greets on stdout before the first message, as many programs do. */
import { runStdio } from '../run-stdio.ts'

runStdio({ policies: { banner: 'Server v1.0 ready on stdio\n' } })
