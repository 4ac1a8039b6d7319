/** The levels of log messages, from the least to the most severe (server/utilities/logging#log-levels). */
export const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]
