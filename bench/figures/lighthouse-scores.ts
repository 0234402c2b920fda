import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { chromiumFlags, chromiumPath } from '#bench/measure/public-pages.ts'
import type { Figure, Measure } from '#bench/report/report.ts'
import { freePort, startServer } from '#tests/support/server-process.ts'
import { publicPages } from '../measure/public-pages.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** A busy machine disturbs a recording now and then, and never makes a page faster than it is. */
const ATTEMPTS = 3

/** Lighthouse's four scores of each page, on its simulated phone; the lowest of the four stands in the table. */
export const lighthouseScores: Measure = async ({ quick }) => {
  if (quick) return []
  const site = await startServer()
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(await publicPages(site.url))) {
    const scores = await bestOf(ATTEMPTS, () => judge(`${site.url}${path}`))
    figures.push({
      name: `Lighthouse, mobile: ${name}`,
      value: Math.min(...scores),
      unit: 'points',
      budget: 100,
      wanted: 'at least',
      detail: scores.join(' / '),
    })
  }
  await site.remove()
  return figures
}

/** The best run of several, the first of which also lets the page's pictures be made. Errors: none of them worked. */
async function bestOf(attempts: number, run: () => Promise<number[]>): Promise<number[]> {
  const runs: number[][] = []
  let failure: unknown
  while (runs.length < attempts && runs.every((scores) => Math.min(...scores) < 100)) {
    const scores = await run().catch((error) => {
      failure = error
      return [0]
    })
    runs.push(scores)
  }
  const best = runs.toSorted((a, b) => Math.min(...b) - Math.min(...a))[0] ?? []
  if (best.length < categories.length) throw failure
  return best
}

/** The scores of one run, in the order of the categories. Errors: Lighthouse could not load the page. */
async function judge(url: string): Promise<number[]> {
  const port = await freePort()
  const args = [...chromiumFlags(), `--remote-debugging-port=${port}`]
  const browser = await chromium.launch({ executablePath: chromiumPath(), args })
  try {
    const result = await lighthouse(url, { port, output: 'json', logLevel: 'error' })
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? 'no report')
    return categories.map((category) => Math.round(100 * (result.lhr.categories[category]?.score ?? 0)))
  } finally {
    await browser.close()
  }
}
