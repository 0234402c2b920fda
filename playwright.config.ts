import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'
import chromium from './tools/setup/chromium.json' with { type: 'json' }

/** Debian's Chromium where it is installed; elsewhere Playwright's own. */
const executablePath = chromium.find((program) => existsSync(program))
const runsAsRoot = process.getuid?.() === 0

/**
 * The browser's own surroundings have pages, too: two for the address bar alone, in every window, which nobody sees here.
 * The last list counts, so Playwright's own follows, as far as it concerns what the tests do.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // Each page would come with another process in reserve.
  'SpareRendererForSitePerProcess',
]

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/global-setup.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 7_500 },
  forbidOnly: Boolean(process.env.CI),
  // On a shared machine a clock may run out once; what is broken fails each time.
  retries: process.env.CI ? 2 : 0,
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    // Recording costs every test time: only what has failed is recorded, when it is tried again.
    trace: 'on-first-retry',
    // What a worker answers, no test can intercept; offline.spec.ts lets it in.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        ...(runsAsRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        `--disable-features=${withoutFeatures.join(',')}`,
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--autoplay-policy=no-user-gesture-required',
      ],
    },
  },
})
