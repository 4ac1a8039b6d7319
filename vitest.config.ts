import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    // Writes down what a full run of the proofs showed.
    globalSetup: ['src/prove/shards.ts'],
    // What is built is run as it is, and not compiled once more.
    server: { deps: { external: [/\/dist\//] } },
    // One less than the machine has, which is the default, would be a single one on two cores; and tests wait more than they work.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests of whole runs wait for their target most of the time.
    maxConcurrency: 4,
    // Every wait in a test is bounded by itself; this only ends a test that hangs for a fault of ours.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // Of proofs that run side by side each seems slow, and none is.
    slowTestThreshold: 30_000,
    reporters: ['default'],
  },
})
