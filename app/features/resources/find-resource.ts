import { data, href } from 'react-router'
import { fitPictures } from '#app/features/article/fit-pictures.ts'
import { article, breadcrumbs, type JsonLdBuilder, podcastEpisode } from '#app/features/seo/json-ld.ts'
import { type PageFacts, pageMeta } from '#app/features/seo/page-meta.ts'
import type { Library, LibraryAccess } from '#app/session/client/library.ts'
import { decodeArticle } from '#domain/article/encoding.ts'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import {
  type Category,
  listingTexts,
  type Resource,
  type ResourceSummary,
  summaryColumns,
} from '#domain/resource.ts'
import { inListingOrder, LibraryFailed, unavailable, withMedia } from './library.ts'

/**
 * What a resource's page shows to whoever the access belongs to. On the server for visitors; members download it, and
 * the sanitiser with it. Errors: 404 for what is not there or not theirs to see, 503 when the library does not answer.
 */
export async function readResource({ library, settings, reads }: LibraryAccess, id: string) {
  try {
    const found = await findResource(library, id, reads)
    if (!found) throw data(null, { status: 404 })
    const related = await findRelated(library, found, reads)
    const { article_content, ...summary } = found
    return {
      resource: withMedia(summary, settings),
      body: readBody(article_content),
      related: related.map((other) => withMedia(other, settings)),
      meta: pageMeta([{ loaderData: settings }], describeResource(summary)),
    }
  } catch (error) {
    throw unavailable(error)
  }
}

/** The article's body, fit to be shown. */
function readBody(content: string | null) {
  const body = decodeArticle(content)
  return body.state === 'html' ? { ...body, html: fitPictures(sanitiseArticle(body.html)) } : body
}

function describeResource(resource: ResourceSummary): PageFacts {
  const { id, title, description, category, image_url, image_alt, audioUrl } = resource
  const path = href('/resource/:id', { id })
  const listing = { name: listingTexts[category].title, path: href('/resources/:category?', { category }) }
  const kinds: Partial<Record<Category, JsonLdBuilder>> = {
    reading: article(resource),
    podcast: podcastEpisode(resource),
  }
  return {
    title,
    description,
    path,
    type: category === 'reading' ? 'article' : 'website',
    image: image_url ? { address: image_url, alt: image_alt ?? '' } : undefined,
    audio: audioUrl ?? undefined,
    jsonLd: [breadcrumbs([listing, { name: title, path }]), kinds[category]].filter(
      (kind) => kind !== undefined,
    ),
  }
}

type Reads = LibraryAccess['reads']

const RELATED = 3
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * One resource with its body; null when there is none, when it is private and a visitor asks, or when the id cannot be
 * one, for which the database is not asked. Errors: LibraryFailed.
 */
export async function findResource(
  library: Library,
  id: string,
  reads: Reads = 'public',
): Promise<Resource | null> {
  if (!uuid.test(id)) return null
  const { data, error } = await resources(library, reads, `${summaryColumns},article_content`)
    .eq('id', id)
    .maybeSingle()
    .overrideTypes<Resource, { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}

/** Three others of the same category, the featured and the newest first. Errors: LibraryFailed. */
export async function findRelated(
  library: Library,
  { id, category }: Resource,
  reads: Reads = 'public',
): Promise<ResourceSummary[]> {
  const { data, error } = await inListingOrder(
    resources(library, reads, summaryColumns).eq('category', category).neq('id', id),
  )
    .limit(RELATED)
    .overrideTypes<ResourceSummary[], { merge: false }>()
  if (error) throw new LibraryFailed(error)
  return data
}

function resources(library: Library, reads: Reads, columns: string) {
  const rows = library.from('resources').select(columns)
  return reads === 'public' ? rows.eq('public', true) : rows
}
