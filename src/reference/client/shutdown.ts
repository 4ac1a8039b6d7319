/** One step of the shutdown, and how long the exit of the server is waited for behind it. */
export interface ShutdownStep {
  does: 'close stdin' | 'SIGTERM' | 'SIGKILL' | 'nothing'
  waitMs: number
}
