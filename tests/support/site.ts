import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type Page } from '@playwright/test'
import { openAlive } from './alive.ts'
import { type Account, adminApi, makeAccount, openSessionFor, serviceLibrary } from './members.ts'
import type { ServerOptions, ServerProcess } from './server-process.ts'
import { startSite } from './site-server.ts'

export { expect, type Page } from '@playwright/test'
export { settled } from './alive.ts'

interface Resource {
  id: string
  title: string
  [column: string]: unknown
}

interface TestFixtures {
  /** Adds a resource (every other field is valid and unremarkable) that is gone after the test. */
  addResource: (fields?: Record<string, unknown>) => Promise<Resource>
  /** Makes an account that is gone after the test. */
  addAccount: (role: 'member' | 'admin', options?: { saved?: string[] }) => Promise<Account>
  /** The same, and signs it in in this test's browser; the next page that is opened is a member's. */
  signInAs: (role: 'member' | 'admin', options?: { saved?: string[] }) => Promise<Account>
  /** axe's findings on the page as it stands, in one theme; empty when there is nothing to mend. */
  axeFindings: (page: Page, theme?: 'light' | 'dark') => Promise<string[]>
  /** Console errors fail a test, unless it says that it expects them. */
  expectConsoleErrors: () => void
}

interface WorkerFixtures {
  /** How the service is started, for files whose tests need another one: `test.use({ serverOptions: … })`. */
  serverOptions: ServerOptions
  site: ServerProcess
}

/** Tests against the built service with the starter library, in a real browser; one server for each worker. */
export const test = base.extend<TestFixtures & { silence: undefined }, WorkerFixtures>({
  serverOptions: [{}, { scope: 'worker', option: true }],
  site: [
    async ({ serverOptions }, use) => {
      // All these people come from one address.
      const env = { AUTH_RATE_LIMITS: 'off', ...serverOptions.env }
      const server = await startSite({ ...serverOptions, env })
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  context: async ({ context, javaScriptEnabled }, use) => {
    if (javaScriptEnabled) openAlive(context)
    await use(context)
  },
  addResource: async ({ site }, use) => {
    const rest = serviceLibrary(site)
    const added: string[] = []
    await use(async (fields = {}) => {
      const { data, error } = await rest
        .from('resources')
        .insert({ ...unremarkable(), ...fields })
        .select()
        .single()
      if (error) throw new Error(error.message)
      added.push(data.id)
      return data
    })
    if (added.length > 0) await rest.from('resources').delete().in('id', added)
  },
  addAccount: async ({ site }, use) => {
    const added: string[] = []
    await use(async (role, options) => {
      const account = await makeAccount(site, role, options)
      added.push(account.id)
      return account
    })
    for (const id of added) await adminApi(site).deleteUser(id)
  },
  signInAs: async ({ site, page, addAccount }, use) => {
    await use(async (role, options) => {
      const account = await addAccount(role, options)
      const session = await openSessionFor(site, account)
      await storeSession(page, session)
      return account
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  axeFindings: async ({}, use) => {
    await use(async (page, theme = 'light') => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      // No page of ours has frames of other origins; for those axe would open another page for each question.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
    })
  },
  expectConsoleErrors: async ({ page }, use) => {
    await use(() => {
      quiet.delete(page)
    })
  },
  silence: [
    async ({ page }, use) => {
      const errors: string[] = []
      quiet.add(page)
      page.on('console', (message) => {
        // The tests' identity providers have pages, but no icon.
        const isIcon = message.location().url.endsWith('/favicon.ico')
        if (message.type() === 'error' && !isIcon) errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      await use(undefined)
      if (quiet.has(page) && errors.length > 0) throw new Error(`The console said:\n${errors.join('\n')}`)
    },
    { auto: true },
  ],
})

/** Puts a session where the site's auth client keeps it; the next page that is opened finds it. */
export async function storeSession(page: Page, session: unknown): Promise<void> {
  // Any page of the site's origin that runs no script of ours.
  await page.goto('/robots.txt')
  await page.evaluate(
    (stored) => localStorage.setItem('walking-together-session', stored),
    JSON.stringify(session),
  )
}

const quiet = new WeakSet<Page>()

const unremarkable = () => ({
  id: randomUUID(),
  title: 'A plain resource',
  description: 'It has nothing remarkable about it.',
  category: 'reading',
  date: '2026-01-15',
  grade: 'K-12',
  gender: 'all',
  public: true,
  duration: 60,
})
