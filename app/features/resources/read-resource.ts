import { data } from 'react-router'
import type { LibraryAccess } from '#app/session/library-client.ts'
import { decodeArticle } from '#domain/article/encoding.ts'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import { findRelated, findResource } from './find-resource.ts'
import { unavailable } from './library-failed.ts'
import { withMedia } from './media-address.ts'

/**
 * What a resource's page shows to whoever the access belongs to. On the server for visitors; members download it, and
 * the sanitiser with it. Errors: 404 for what is not there or not theirs to see, 503 when the library does not answer.
 */
export async function readResource({ library, settings, reads }: LibraryAccess, id: string) {
  try {
    const found = await findResource(library, id, reads)
    if (!found) throw data(null, { status: 404 })
    const { article_content, ...summary } = found
    const related = await findRelated(library, found, reads)
    const located = <Kept extends typeof summary>(resource: Kept) => withMedia(resource, settings)
    return { resource: located(summary), body: readBody(article_content), related: related.map(located) }
  } catch (error) {
    throw unavailable(error)
  }
}

/** The article's body, fit to be shown. */
function readBody(content: string | null) {
  const body = decodeArticle(content)
  return body.state === 'html' ? { ...body, html: sanitiseArticle(body.html) } : body
}
