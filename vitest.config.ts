import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{app,domain,server,tools}/**/*.test.{ts,tsx}', 'tests/{policies,acceptance}/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
