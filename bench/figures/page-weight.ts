import { type Browser, chromium } from '@playwright/test'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { chromiumFlags, chromiumPath } from '../measure/chromium.ts'
import { fetchRaw } from '../measure/http-raw.ts'
import { publicPages } from '../measure/public-pages.ts'
import type { Figure } from '../report/figure.ts'
import type { Measure } from './figures.ts'

const kinds = ['script', 'stylesheet', 'font'] as const
type Kind = (typeof kinds)[number]
type Weights = Record<Kind, number>

const KB = 1024

/** What a first visit downloads, by kind, of the heaviest public page: what a real browser asks for, then packed as gzip. */
export const pageWeight: Measure = async () => {
  const site = await startServer()
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumFlags() })
  const weights: Weights[] = []
  for (const path of Object.values(await publicPages(site.url)))
    weights.push(await weigh(browser, site, path))
  const html = await fetchRaw(`${site.url}/resources?size=12`, 'br')
  await browser.close()
  await site.remove()
  const heaviest = (kind: Kind) => Math.max(...weights.map((weight) => weight[kind])) / KB
  const line = (name: string, value: number, budget: number): Figure => ({
    name,
    value,
    unit: 'KB',
    budget,
    wanted: 'at most',
  })
  return [
    line('JavaScript of a public page, first visit, gzip', heaviest('script'), 130),
    line('CSS, gzip', heaviest('stylesheet'), 15),
    line('Fonts', heaviest('font'), 60),
    line('HTML of a listing of 12 cards, brotli', html.body.length / KB, 12),
  ]
}

/** Opens a page in a fresh context, without a cache, and adds up what it asked for until it was at rest. */
async function weigh(browser: Browser, site: ServerProcess, path: string): Promise<Weights> {
  const context = await browser.newContext({ ...mobile, serviceWorkers: 'block' })
  const page = await context.newPage()
  const asked = new Map<string, string>()
  page.on('request', (request) => asked.set(request.url(), request.resourceType()))
  await page.goto(`${site.url}${path}`, { waitUntil: 'networkidle' })
  await context.close()
  const sum: Weights = { script: 0, stylesheet: 0, font: 0 }
  for (const [url, type] of asked) {
    const kind = kinds.find((known) => known === type)
    if (kind) sum[kind] += (await fetchRaw(url, 'gzip')).body.length
  }
  return sum
}

const mobile = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
