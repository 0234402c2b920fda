import { href } from 'react-router'
import type { Library } from '#app/session/client/library.ts'
import { type Category, categories } from '#domain/category.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { type Absolute, librarySilent, toXml, type Xml } from './xml.ts'

type Listed = Pick<ResourceSummary, 'id' | 'category' | 'updated_at'>

/** Pages besides the resources, and the listings of what is there. */
const pages = [href('/about'), href('/privacy'), href('/terms')]

/** What one sitemap may hold at most (sitemaps.org). */
const MAX_ADDRESSES = 50_000
const MAX_RESOURCES = MAX_ADDRESSES - pages.length - categories.length - 2

/**
 * All public resources, up to what fits. Read by id in steps: the API hands out only so many rows at once.
 * Errors: a 503 response when the library does not answer.
 */
export async function listedResources(library: Library): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    let rows = library.from('resources').select('id,category,updated_at').eq('public', true)
    const last = all.at(-1)
    if (last) rows = rows.gt('id', last.id)
    const { data } = await rows.order('id').limit(1000).overrideTypes<Listed[], { merge: false }>()
    if (!data) throw librarySilent()
    all.push(...data)
    if (data.length === 0 || all.length >= MAX_RESOURCES) return all.slice(0, MAX_RESOURCES)
  }
}

/** The sitemap: Home and the listings that hold something, the resources, and the other pages. */
export function sitemap(resources: readonly Listed[], absolute: Absolute): string {
  const filled = categories.filter((category) => resources.some((resource) => resource.category === category))
  const entry = (path: string, lastmod?: string): Xml => ({ loc: absolute(path), lastmod })
  return toXml({
    urlset: {
      '@xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9',
      url: [
        entry(href('/'), newest(resources)),
        entry(href('/resources/:category?'), newest(resources)),
        ...filled.map((category) =>
          entry(href('/resources/:category?', { category }), newest(resources, category)),
        ),
        ...pages.map((path) => entry(path)),
        ...resources.map(({ id, updated_at }) => entry(href('/resource/:id', { id }), day(updated_at))),
      ],
    },
  })
}

const day = (timestamp: string) => timestamp.slice(0, 10)

const newest = (resources: readonly Listed[], category?: Category) =>
  resources
    .filter((resource) => !category || resource.category === category)
    .map(({ updated_at }) => day(updated_at))
    .reduce<string | undefined>((latest, next) => (latest && latest > next ? latest : next), undefined)
