import type { MetaDescriptor } from 'react-router'
import { absoluteAddress, type SiteSettings, siteName } from '#app/session/site.ts'
import type { JsonLdBuilder } from './json-ld.ts'

/** What a page tells search engines and the places where it is shared. */
export interface PageFacts {
  /** Without the site's name, which is added. */
  title: string
  description: string
  /** The one address of this content: path and meaningful query. */
  path: string
  keywords?: string
  /** A picture to share instead of the social card: a path or an address. */
  image?: { address: string; alt: string } | undefined
  /** A recording to share. */
  audio?: string | undefined
  type?: 'website' | 'article'
  /** Neighbours in a series of pages. */
  previous?: string | undefined
  next?: string | undefined
  /** Leave the page out of search results. */
  hidden?: boolean
  jsonLd?: readonly JsonLdBuilder[]
}

/** `matches` of a route's meta function: the first is the root, whose loader knows the site's settings. */
export type RootFirst = readonly [{ loaderData: SiteSettings }, ...unknown[]]

const socialCard = {
  address: '/social-card.png',
  alt: 'Walking Together, a library for parents of 9 to 17 year olds',
}

/** Every meta tag of a page, for a route's `meta`. Addresses that are none are left out. */
export function pageMeta([{ loaderData: settings }]: RootFirst, page: PageFacts): MetaDescriptor[] {
  const absolute = (address: string) => absoluteAddress(address, settings)
  return [
    { title: `${page.title} · ${siteName}` },
    ...named({
      description: page.description,
      keywords: page.keywords,
      robots: page.hidden ? 'noindex' : 'max-image-preview:large',
    }),
    ...linked({
      canonical: absolute(page.path),
      prev: page.previous && absolute(page.previous),
      next: page.next && absolute(page.next),
    }),
    ...sharing(page, absolute),
    ...(page.jsonLd ?? []).map((build) => ({ 'script:ld+json': build(absolute) })),
  ]
}

type Texts = Record<string, string | undefined>

const given = (texts: Texts) =>
  Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]))

const named = (texts: Texts) => given(texts).map(([name, content]) => ({ name, content }))
const propertied = (texts: Texts) => given(texts).map(([property, content]) => ({ property, content }))
const linked = (texts: Texts) => given(texts).map(([rel, href]) => ({ tagName: 'link', rel, href }))

/** Open Graph, and the Twitter card that falls back on it for title, description and picture. */
function sharing(page: PageFacts, absolute: (address: string) => string | undefined): MetaDescriptor[] {
  const image = page.image && absolute(page.image.address) ? page.image : socialCard
  return [
    ...propertied({
      'og:site_name': siteName,
      'og:title': page.title,
      'og:description': page.description,
      'og:type': page.type ?? 'website',
      'og:url': absolute(page.path),
      'og:locale': 'en_US',
      'og:image': absolute(image.address),
      'og:image:alt': image.alt,
      'og:audio': page.audio && absolute(page.audio),
    }),
    ...named({
      'twitter:card': 'summary_large_image',
      'twitter:title': page.title,
      'twitter:description': page.description,
      'twitter:image': absolute(image.address),
      'twitter:image:alt': image.alt,
    }),
  ]
}
