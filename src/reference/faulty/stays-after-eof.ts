/** Never ends by itself: a timer keeps it alive when its stdin is closed. */
import { runStdio } from '../run-stdio.ts'

runStdio({ atEnd: () => {} })
setInterval(() => {}, 60_000)
