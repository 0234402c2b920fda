import { type Browser, chromium } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '#bench/measure/public-pages.ts'
import { fetchRaw } from '#bench/measure/start-bare-server.ts'
import type { Figure, Measure } from '#bench/report/report.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { publicPages } from '../measure/public-pages.ts'

const kinds = ['script', 'stylesheet', 'font'] as const
type Kind = (typeof kinds)[number]

/** Bytes as gzip: of what the page's HTML names, and of what came afterwards (the player, measuring of vitals). */
interface Weights {
  named: Record<Kind, number>
  later: Record<Kind, number>
}

const KB = 1024

/** What a first visit downloads, by kind, of the heaviest public page: what a real browser asks for, then packed as gzip. */
export const pageWeight: Measure = async () => {
  const site = await startServer()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumFlags() })
  const weights: Weights[] = []
  for (const path of Object.values(await publicPages(site.url)))
    weights.push(await weigh(browser, site, path))
  const listing = `${site.url}/resources?size=12`
  // Whoever comes first gets the page as it was compressed in a hurry.
  await fetchRaw(listing, 'br')
  const html = await fetchRaw(listing, 'br')
  await browser.close()
  await site.remove()
  const heaviest = (kind: Kind, when: keyof Weights) =>
    Math.max(...weights.map((weight) => weight[when][kind])) / KB
  const line = (name: string, value: number, budget: number, detail = ''): Figure => ({
    name,
    value,
    unit: 'KB',
    budget,
    wanted: 'at most',
    ...(detail && { detail }),
  })
  const later = `${heaviest('script', 'later').toFixed(1)} KB more once it is at rest: player, vitals`
  return [
    line('JavaScript of a public page, first visit, gzip', heaviest('script', 'named'), 130, later),
    line('CSS, gzip', heaviest('stylesheet', 'named'), 15),
    line('Fonts', heaviest('font', 'named'), 60),
    line('HTML of a listing of 12 cards, brotli', html.body.length / KB, 12),
  ]
}

/** Opens a page in a fresh context, without a cache, and adds up what it asks for until it is at rest. */
async function weigh(browser: Browser, site: ServerProcess, path: string): Promise<Weights> {
  const html = await (await fetch(`${site.url}${path}`)).text()
  const context = await browser.newContext({ ...phone, serviceWorkers: 'block' })
  const page = await context.newPage()
  const asked = new Map<string, string>()
  page.on('request', (request) => asked.set(request.url(), request.resourceType()))
  await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' })
  await context.close()
  const weights: Weights = { named: nothing(), later: nothing() }
  for (const [url, type] of asked) {
    const kind = kinds.find((known) => known === type)
    if (!kind) continue
    const when = html.includes(new URL(url).pathname) ? 'named' : 'later'
    weights[when][kind] += (await fetchRaw(url, 'gzip')).body.length
  }
  return weights
}

const nothing = (): Record<Kind, number> => ({ script: 0, stylesheet: 0, font: 0 })

const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
