import { href } from 'react-router'
import type { Library } from '#app/session/client/library.ts'
import { siteName } from '#app/session/site.ts'
import { listingTexts } from '#domain/category.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { type Absolute, librarySilent, rssDate, toXml, type Xml } from './xml.ts'

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
