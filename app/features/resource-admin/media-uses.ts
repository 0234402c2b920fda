import type { Library } from '#app/session/library-client.ts'
import type { ResourceSummary } from '#domain/resource.ts'

export type WithMedia = Pick<ResourceSummary, 'id' | 'image_url' | 'audioUrl'>

/** A file of our own storage that a resource shows or plays. */
export interface OwnMedia {
  kind: 'picture' | 'recording'
  /** The other resources that use it too. */
  others: { id: string; title: string }[]
}

/** What of a resource lies in our own storage, and who else uses it. Errors: the library does not answer. */
export async function findOwnMedia(
  library: Library,
  { id, image_url, audioUrl }: WithMedia,
): Promise<OwnMedia[]> {
  const files = [
    { kind: 'picture' as const, address: image_url },
    { kind: 'recording' as const, address: audioUrl },
  ].filter(({ address }) => storedFile(address))
  return Promise.all(
    files.map(async ({ kind, address }) => {
      const { data, error } = await library.rpc('media_uses', { address: address ?? '' })
      if (error) throw error
      return { kind, others: data.filter((one) => one.id !== id) }
    }),
  )
}

/** The bucket and name of a file in our own public storage; null for every other address. */
export function storedFile(address: string | null): { bucket: string; name: string } | null {
  const [, bucket, name] = /\/storage\/v1\/object\/public\/([^/]+)\/([^?#]+)/.exec(address ?? '') ?? []
  if (!bucket || !name) return null
  try {
    return { bucket, name: decodeURIComponent(name) }
  } catch {
    return null
  }
}
