/** A client that never does anything, and does not want to end. */
process.on('SIGTERM', () => {})
setInterval(() => {}, 1_000)
