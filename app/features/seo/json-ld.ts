import { href } from 'react-router'
import { siteName } from '#app/session/site.ts'
import { isoDuration } from '#domain/duration.ts'
import type { ResourceSummary } from '#domain/resource.ts'

type JsonLd = { '@type': string; [name: string]: unknown }

/**
 * Structured data that is finished once the site's own address is known. React Router writes it into the page with
 * every <, > and & escaped, so that no title can end the script.
 */
export type JsonLdBuilder = (absolute: (address: string) => string | undefined) => JsonLd

type Described = Pick<ResourceSummary, 'id' | 'title' | 'description' | 'date' | 'updated_at' | 'duration'>

const context = { '@context': 'https://schema.org' }
const publisherId = '/#organization'

/** Who runs the site. */
export const organization =
  (facts: { description: string; email: string }): JsonLdBuilder =>
  (absolute) => ({
    ...context,
    '@type': 'Organization',
    '@id': absolute(publisherId),
    name: siteName,
    url: absolute(href('/')),
    logo: absolute('/icon-512.png'),
    description: facts.description,
    email: facts.email,
  })

/** The site, and how to search it. */
export const website = (): JsonLdBuilder => (absolute) => ({
  ...context,
  '@type': 'WebSite',
  name: siteName,
  url: absolute(href('/')),
  publisher: { '@id': absolute(publisherId) },
  potentialAction: {
    '@type': 'SearchAction',
    target: `${absolute(href('/resources/:category?'))}?q={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
})

const publisher = (absolute: Parameters<JsonLdBuilder>[0]) => ({
  '@type': 'Organization',
  '@id': absolute(publisherId),
  name: siteName,
  logo: absolute('/icon-512.png'),
})

/** A reading. */
export const article =
  (reading: Described & Pick<ResourceSummary, 'image_url'>): JsonLdBuilder =>
  (absolute) => ({
    ...context,
    '@type': 'Article',
    headline: reading.title,
    description: reading.description,
    datePublished: reading.date,
    dateModified: reading.updated_at,
    image: reading.image_url ? absolute(reading.image_url) : undefined,
    mainEntityOfPage: absolute(href('/resource/:id', { id: reading.id })),
    timeRequired: isoDuration(reading.duration),
    inLanguage: 'en',
    author: publisher(absolute),
    publisher: publisher(absolute),
  })

/** A podcast episode. */
export const podcastEpisode =
  (episode: Described & Pick<ResourceSummary, 'audioUrl'>): JsonLdBuilder =>
  (absolute) => ({
    ...context,
    '@type': 'PodcastEpisode',
    name: episode.title,
    description: episode.description,
    url: absolute(href('/resource/:id', { id: episode.id })),
    datePublished: episode.date,
    timeRequired: isoDuration(episode.duration),
    inLanguage: 'en',
    associatedMedia: episode.audioUrl
      ? {
          '@type': 'AudioObject',
          contentUrl: absolute(episode.audioUrl),
          duration: isoDuration(episode.duration),
        }
      : undefined,
    partOfSeries: {
      '@type': 'PodcastSeries',
      name: siteName,
      url: absolute(href('/resources/:category?', { category: 'podcast' })),
      webFeed: absolute(href('/podcast.xml')),
    },
  })

/** The way from Home to a page; the last step is the page itself. */
export const breadcrumbs =
  (steps: readonly { name: string; path: string }[]): JsonLdBuilder =>
  (absolute) => ({
    ...context,
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: href('/') }, ...steps].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: absolute(path),
    })),
  })

/** The resources that a page of a listing shows, in their order. */
export const itemList =
  (resources: readonly Pick<ResourceSummary, 'id' | 'title'>[]): JsonLdBuilder =>
  (absolute) => ({
    ...context,
    '@type': 'ItemList',
    itemListElement: resources.map(({ id, title }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      url: absolute(href('/resource/:id', { id })),
    })),
  })
