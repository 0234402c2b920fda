import { describe, expect, it } from 'vitest'
import type { SiteSettings } from '#app/session/site.ts'
import { type PageFacts, pageMeta } from './page-meta.ts'

const settings: SiteSettings = {
  siteUrl: 'https://site.example',
  apiUrl: 'https://api.example',
  publishableKey: 'sb_publishable_x',
  contactEmail: 'hello@example.org',
  earlyAccess: true,
  backups: 'nightly' as const,
}
const page: PageFacts = { title: 'Sleep', description: 'Why teens stay up', path: '/resource/1' }
const metaOf = (more: Partial<PageFacts> = {}) => pageMeta([{ loaderData: settings }], { ...page, ...more })

describe('pageMeta', () => {
  it('names the page before the site', () => {
    expect(metaOf()).toContainEqual({ title: 'Sleep · Walking Together' })
  })

  it('gives the canonical address in full', () => {
    expect(metaOf()).toContainEqual({
      tagName: 'link',
      rel: 'canonical',
      href: 'https://site.example/resource/1',
    })
  })

  it('shares the social card unless the page has a picture', () => {
    expect(metaOf()).toContainEqual({ property: 'og:image', content: 'https://site.example/social-card.png' })
  })

  it('finds our own pictures where the API lives', () => {
    const image = { address: '/storage/v1/object/public/images/a.webp', alt: 'A bed' }
    const meta = metaOf({ image })
    const content = 'https://api.example/storage/v1/object/public/images/a.webp'
    expect(meta).toContainEqual({ property: 'og:image', content })
    expect(meta).toContainEqual({ name: 'twitter:image', content })
    expect(meta).toContainEqual({ property: 'og:image:alt', content: 'A bed' })
  })

  it.each(['http://', 'javascript:alert(1)', 'data:image/png;base64,AA'])(
    'shares the card instead of %j',
    (address) => {
      expect(metaOf({ image: { address, alt: '' } })).toContainEqual({
        property: 'og:image',
        content: 'https://site.example/social-card.png',
      })
    },
  )

  it('leaves out what the page does not have', () => {
    expect(JSON.stringify(metaOf())).not.toMatch(/undefined|og:audio|"prev"|keywords/)
  })

  it('asks search engines to leave a hidden page out', () => {
    expect(metaOf({ hidden: true })).toContainEqual({ name: 'robots', content: 'noindex' })
  })
})
