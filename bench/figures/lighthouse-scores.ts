import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { startServer } from '#tests/support/server-process.ts'
import { chromiumFlags, chromiumPath } from '../measure/chromium.ts'
import { publicPages } from '../measure/public-pages.ts'
import type { Figure } from '../report/figure.ts'
import type { Measure } from './figures.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** Lighthouse's four scores of each page, on its simulated phone; the lowest of the four stands in the table. */
export const lighthouseScores: Measure = async ({ quick }) => {
  if (quick) return []
  const site = await startServer()
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(await publicPages(site.url))) {
    // The page's pictures are made at the first visit; a visitor's is hardly ever that.
    await judge(`${site.url}${path}`)
    const scores = await judge(`${site.url}${path}`)
    figures.push({
      name: `Lighthouse, mobile: ${name}`,
      value: Math.min(...scores.map(({ score }) => score)),
      unit: 'points',
      budget: 100,
      wanted: 'at least',
      detail: scores.map(({ score }) => score).join(' / '),
    })
  }
  await site.remove()
  return figures
}

/** Errors: Lighthouse could not load the page. */
async function judge(url: string): Promise<Array<{ category: string; score: number }>> {
  const chrome = await launch({ chromePath: chromiumPath(), chromeFlags: chromiumFlags() })
  try {
    const result = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error' })
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? 'no report')
    for (const audit of Object.values(result.lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9 && process.env.BENCH_AUDITS) {
        console.error(`  ${url}: ${audit.id} ${audit.score} ${audit.displayValue ?? ''}`)
      }
    }
    return categories.map((category) => ({
      category,
      score: Math.round(100 * (result.lhr.categories[category]?.score ?? 0)),
    }))
  } finally {
    chrome.kill()
  }
}
