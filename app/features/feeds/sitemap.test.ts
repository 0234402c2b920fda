import { describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { listedResources, sitemap } from './reading-feed.ts'

const absolute = (address: string) => `https://site.example${address}`
const listed = (id: string, category: 'reading' | 'podcast', day: string) => ({
  id,
  category,
  updated_at: `${day}T10:00:00+00:00`,
})

describe('sitemap', () => {
  const xml = sitemap([listed('a', 'reading', '2026-02-01'), listed('b', 'reading', '2026-03-01')], absolute)

  it('lists each resource with the day of its last change', () => {
    expect(xml).toContain(
      '<url><loc>https://site.example/resource/a</loc><lastmod>2026-02-01</lastmod></url>',
    )
  })

  it('dates Home and listings by the newest resource they show', () => {
    expect(xml).toContain('<url><loc>https://site.example/</loc><lastmod>2026-03-01</lastmod></url>')
    expect(xml).toContain('<loc>https://site.example/resources/reading</loc><lastmod>2026-03-01</lastmod>')
  })

  it('leaves out listings that are still coming soon', () => {
    expect(xml).not.toContain('/resources/podcast')
  })

  it('lists the pages that need no library', () => {
    for (const path of ['/about', '/privacy', '/terms']) expect(xml).toContain(`<loc>${absolute(path)}</loc>`)
  })
})

describe('listedResources', () => {
  const url = 'https://site.example'
  const settings = {
    siteUrl: url,
    apiUrl: url,
    publishableKey: 'k',
    contactEmail: '',
    earlyAccess: true,
    backups: 'nightly' as const,
  }

  /** A library of so many rows that hands out 1,000 at once. */
  const libraryOf = (count: number) =>
    serverLibrary({
      settings,
      api: {
        url,
        fetch: async (input) => {
          const after = new URL(String(input)).searchParams.get('id')?.replace('gt.', '')
          const from = after ? Number(after) + 1 : 0
          const length = Math.max(0, Math.min(1000, count - from))
          return Response.json(
            Array.from({ length }, (_, index) =>
              listed(String(from + index).padStart(6, '0'), 'reading', '2026-01-01'),
            ),
          )
        },
      },
    })

  it('reads on until there is nothing more', async () => {
    const found = await listedResources(libraryOf(2500))
    expect(new Set(found.map(({ id }) => id)).size).toBe(2500)
  })

  it('stays within the 50,000 addresses that a sitemap may hold', async () => {
    const xml = sitemap(await listedResources(libraryOf(60_000)), absolute)
    expect(xml.match(/<url>/g)?.length).toBeLessThanOrEqual(50_000)
  })
})
