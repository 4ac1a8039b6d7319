import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // One less than the machine has, which is the default, would be a single one on two cores; and tests wait more than they work.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Proofs of one folder wait for silence most of the time: many may wait side by side.
    maxConcurrency: 8,
    // Every wait in a test is bounded by itself; this only ends a test that hangs for a fault of ours. A whole run of the
    // program takes most of a minute alone, and more beside another worker.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
