import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import SlowFirst from './tests/support/slow-first.ts'

export default defineConfig({
  resolve: { alias: { '@node-rs/bcrypt': join(import.meta.dirname, 'tests/support/quick-bcrypt.ts') } },
  test: {
    include: [
      '{app,bench,domain,server,tools}/**/*.test.{ts,tsx}',
      'tests/{policies,acceptance}/**/*.test.ts',
    ],
    globalSetup: 'tests/support/global-setup.ts',
    // Each file would load the whole service anew. What a test changes of its process, it puts back.
    isolate: false,
    // Tests wait for databases and other processes more than they reckon, and the browser tests run beside them.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFirst },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // On a shared machine a clock may run out once; what is broken fails twice.
    retry: process.env.CI ? 2 : 0,
  },
})
