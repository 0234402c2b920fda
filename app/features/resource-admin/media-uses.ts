import { findMediaUses, type MediaUse } from '#app/features/media/stored-files.ts'
import type { Library } from '#app/session/client/library.ts'
import type { SiteSettings } from '#app/session/site.ts'
import type { ResourceSummary } from '#domain/resource.ts'

export type WithMedia = Pick<ResourceSummary, 'id' | 'image_url' | 'audioUrl'>

/** A file of our own storage that a resource shows or plays. */
export interface OwnMedia {
  kind: 'picture' | 'recording'
  bucket: string
  name: string
  /** The other resources that use it too, or will when they are restored. */
  others: MediaUse[]
}

interface Access {
  library: Library
  settings: Pick<SiteSettings, 'apiUrl'>
}

/** What of a resource lies in our own storage, and who else uses it. Errors: the library does not answer. */
export async function findOwnMedia(
  { library, settings }: Access,
  { id, image_url, audioUrl }: WithMedia,
): Promise<OwnMedia[]> {
  const media = [
    { kind: 'picture' as const, address: image_url ?? '' },
    { kind: 'recording' as const, address: audioUrl ?? '' },
  ]
  const found = media.map(async ({ kind, address }) => {
    const file = ownFile(address, settings.apiUrl)
    if (!file) return []
    const uses = await findMediaUses(library, address)
    return [{ kind, ...file, others: uses.filter((one) => one.id !== id) }]
  })
  return (await Promise.all(found)).flat()
}

/** The bucket and name of a file in our own public storage; null for every other address. */
export function ownFile(address: string, apiUrl: string): { bucket: string; name: string } | null {
  const path = address.startsWith(apiUrl) ? address.slice(apiUrl.length) : address
  const [, bucket, name] = /^\/storage\/v1\/object\/public\/([^/]+)\/([^?#]+)/.exec(path) ?? []
  if (!bucket || !name) return null
  try {
    return { bucket, name: decodeURIComponent(name) }
  } catch {
    return null
  }
}
