import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import type { ResourceSummary } from '#domain/resource.ts'
import { ResourceList } from './resource-list.tsx'

const resource = (fields: Partial<ResourceSummary> = {}): ResourceSummary => ({
  id: '3f0c6b0e-7a55-4d0a-9d6f-0d8f1a2b3c4d',
  title: 'When your teenager cannot fall asleep',
  description: 'Why the body clock runs late.',
  category: 'reading',
  image_url: '/storage/v1/object/public/images/a.webp',
  image_alt: 'A bed under a window',
  link: null,
  date: '2026-11-04',
  grade: '7-12',
  gender: 'all',
  location: null,
  public: true,
  audioUrl: null,
  lastPlayedPosition: null,
  duration: 270,
  featured: false,
  created_at: '2026-11-04T00:00:00Z',
  updated_at: '2026-11-04T00:00:00Z',
  ...fields,
})

const markup = (...resources: ResourceSummary[]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <ResourceList
        resources={resources}
        view={undefined}
        actions={() => <button type="button">Play</button>}
      />
    </MemoryRouter>,
  )

describe('a card', () => {
  it('says category, title, description, short date and duration', () => {
    const html = markup(resource())
    for (const words of [
      'Reading',
      'When your teenager',
      'Why the body clock',
      'Nov 4, 2026',
      '4 min 30 sec',
    ]) {
      expect(html).toContain(words)
    }
    expect(html).not.toContain('Featured')
  })

  it('names the category 1:1 Session, and says nothing of a duration that is not known', () => {
    const html = markup(resource({ category: 'session', image_url: null, duration: 0 }))
    expect(html).toContain('1:1 Session')
    expect(html).not.toContain('sec')
  })

  it('has one link, and no button inside of it', () => {
    const html = markup(resource())
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).toContain('href="/resource/3f0c6b0e-7a55-4d0a-9d6f-0d8f1a2b3c4d"')
    expect(html).not.toMatch(/<a [^>]*>[^/]*<button/)
  })

  it('marks what is featured', () => {
    expect(markup(resource({ featured: true }))).toMatch(/<li data-featured="true">.*Featured/)
  })

  it('shows a banner and no picture for a podcast', () => {
    const html = markup(resource({ category: 'podcast' }))
    expect(html).toContain('sound-wave')
    expect(html).not.toContain('<img')
  })

  it('keeps titles from becoming markup', () => {
    expect(markup(resource({ title: '<script>alert(1)</script>' }))).not.toContain('<script>alert')
  })
})

describe('pictures', () => {
  const many = Array.from({ length: 6 }, (_, index) => resource({ id: `id-${index}` }))
  const loading = (html: string) => [...html.matchAll(/loading="(\w+)"/g)].map(([, how]) => how)

  it('come at once in the first row, later further down, and the first before all', () => {
    const html = markup(...many)
    expect(loading(html)).toEqual(['eager', 'eager', 'eager', 'eager', 'lazy', 'lazy'])
    expect(html.match(/<img [^>]*fetchpriority="high"/gi)).toHaveLength(1)
  })

  it('of featured cards fill the row sooner', () => {
    expect(loading(markup(...many.map((card) => ({ ...card, featured: true }))))).toEqual([
      'eager',
      'eager',
      'lazy',
      'lazy',
      'lazy',
      'lazy',
    ])
  })

  it('have their alternative text, or an empty one', () => {
    expect(markup(resource())).toContain('alt="A bed under a window"')
    expect(markup(resource({ image_alt: null }))).toContain('alt=""')
  })
})
