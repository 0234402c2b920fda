import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type Page } from '@playwright/test'
import { PostgrestClient } from '@supabase/postgrest-js'
import { type ServerProcess, startServer } from './server-process.ts'

export { expect, type Page } from '@playwright/test'

interface Resource {
  id: string
  title: string
  [column: string]: unknown
}

interface TestFixtures {
  /** Adds a resource (every other field is valid and unremarkable) that is gone after the test. */
  addResource: (fields?: Record<string, unknown>) => Promise<Resource>
  /** axe's findings on the page as it stands, in one theme; empty when there is nothing to mend. */
  axeFindings: (page: Page, theme?: 'light' | 'dark') => Promise<string[]>
  /** Console errors fail a test, unless it says that it expects them. */
  expectConsoleErrors: () => void
}

interface WorkerFixtures {
  site: ServerProcess
}

/** Tests against the built service with the starter library, in a real browser; one server for each worker. */
export const test = base.extend<TestFixtures & { silence: undefined }, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  addResource: async ({ site }, use) => {
    const rest = asService(site)
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
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  axeFindings: async ({}, use) => {
    await use(async (page, theme = 'light') => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      const { violations } = await new AxeBuilder({ page }).analyze()
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
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      await use(undefined)
      if (quiet.has(page) && errors.length > 0) throw new Error(`The console said:\n${errors.join('\n')}`)
    },
    { auto: true },
  ],
})

const quiet = new WeakSet<Page>()

/** The database's API with the secret key, which policies do not bind. */
const asService = ({ url, keys }: ServerProcess) =>
  new PostgrestClient(`${url}/rest/v1`, {
    headers: { apikey: keys.secret, authorization: `Bearer ${keys.secret}` },
  })

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
