import type { Library } from '#app/session/client/library.ts'
import type { SiteServices } from '#app/session/site.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { librarySilent } from './library-silent.ts'
import type { Absolute } from './site.ts'

interface Enclosure {
  url: string
  /** Bytes; 0 when nobody could tell, which podcast apps accept. */
  length: number
  type: string
}

type Found = Pick<
  ResourceSummary,
  'id' | 'title' | 'description' | 'date' | 'duration' | 'audioUrl' | 'image_url'
>
export type Episode = Found & { enclosure: Enclosure }

/** More than any app shows, and few enough to ask each recording for its size. */
const LIMIT = 300

/**
 * The newest public episodes that can be played.
 * Errors: a 503 response when the library does not answer.
 */
export async function newestEpisodes(
  library: Library,
  api: SiteServices['api'],
  absolute: Absolute,
): Promise<Episode[]> {
  const { data } = await library
    .from('resources')
    .select('id,title,description,date,duration,audioUrl,image_url')
    .eq('public', true)
    .eq('category', 'podcast')
    .not('audioUrl', 'is', null)
    .order('date', { ascending: false })
    .order('title')
    .order('id')
    .limit(LIMIT)
    .overrideTypes<Found[], { merge: false }>()
  if (!data) throw librarySilent()
  const episodes = await Promise.all(data.map((found) => withEnclosure(found, api, absolute)))
  return episodes.filter((episode) => episode !== undefined)
}

async function withEnclosure(
  found: Found,
  api: SiteServices['api'],
  absolute: Absolute,
): Promise<Episode | undefined> {
  const url = absolute(found.audioUrl ?? '')
  if (!found.audioUrl || !url) return undefined
  // Only our own storage is asked: an address that somebody typed must not make the server call anywhere.
  if (!found.audioUrl.startsWith('/storage/')) {
    return { ...found, enclosure: { url, length: 0, type: typeOf(url) } }
  }
  const answer = await api.fetch(url, { method: 'HEAD' })
  if (!answer.ok) return undefined
  const length = Number(answer.headers.get('content-length')) || 0
  return { ...found, enclosure: { url, length, type: answer.headers.get('content-type') ?? typeOf(url) } }
}

/** The audio types that the library takes (specification, section 5), by the ending of the address. */
const types: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  m4a: 'audio/mp4',
}

const typeOf = (url: string) =>
  types[/\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''] ?? 'audio/mpeg'
