import XMLBuilder from 'fast-xml-builder'
import { href } from 'react-router'
import type { Library } from '#app/session/client/library.ts'
import { absoluteAddress, type Origins, siteName } from '#app/session/site.ts'
import { type Category, categories, listingTexts, type ResourceSummary } from '#domain/resource.ts'

type Reading = Pick<ResourceSummary, 'id' | 'title' | 'description' | 'date'>

/** As many as a reader may have missed. */
const LIMIT = 50

/** The newest public readings. Errors: a 503 response when the library does not answer. */
export async function newestReadings(library: Library): Promise<Reading[]> {
  const { data } = await library
    .from('resources')
    .select('id,title,description,date')
    .eq('public', true)
    .eq('category', 'reading')
    .order('date', { ascending: false })
    .order('title')
    .order('id')
    .limit(LIMIT)
    .overrideTypes<Reading[], { merge: false }>()
  if (!data) throw librarySilent()
  return data
}

/** RSS 2.0 with what a reader app needs to show and open a reading. */
export const readingFeed = (readings: readonly Reading[], absolute: Absolute): string =>
  toXml({
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      channel: {
        title: `${siteName}: readings`,
        link: absolute(href('/resources/:category?', { category: 'reading' })),
        description: listingTexts.reading.blurb,
        language: 'en-us',
        'atom:link': { '@href': absolute(href('/feed.xml')), '@rel': 'self', '@type': 'application/rss+xml' },
        item: readings.map((reading) => toItem(reading, absolute)),
      },
    },
  })

function toItem({ id, title, description, date }: Reading, absolute: Absolute): Xml {
  const address = absolute(href('/resource/:id', { id }))
  return {
    title,
    link: address,
    description,
    category: 'Reading',
    guid: { '@isPermaLink': 'true', '#text': address },
    pubDate: rssDate(date),
  }
}

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

/** Elements by name; attributes begin with @, text beside attributes is called #text, and undefined is left out. */
export type Xml = { [name: string]: string | number | undefined | Xml | readonly Xml[] | readonly string[] }

// XML 1.0 section 2.2: even escaped, these must not occur. A database may hold some of them.
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const clean = (_name: string, text: unknown) => String(text).replace(forbidden, '')

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  tagValueProcessor: clean,
  attributeValueProcessor: clean,
})

/** A well-formed document, whatever its texts contain. */
export const toXml = (document: Xml): string =>
  builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...document })

/** yyyy-mm-dd in the form of RFC 822, as RSS wants it; undefined when it is no date. */
export function rssDate(date: string): string | undefined {
  const midnight = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(midnight.getTime()) ? undefined : midnight.toUTCString()
}

/** Full address of a path of ours, or of an address that an admin typed; '' when it is none. */
export type Absolute = (address: string) => string

/** Feeds are read far from the site: every address in them is a full one. */
export const absoluteFor =
  (origins: Origins): Absolute =>
  (address) =>
    absoluteAddress(address, origins) ?? ''

/** The library did not answer: readers of a feed shall keep what they have, and come again in a minute. */
export const librarySilent = (): Response =>
  new Response('The library cannot be reached right now.', {
    status: 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '60' },
  })
