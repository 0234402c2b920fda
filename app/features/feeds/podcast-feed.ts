import { href } from 'react-router'
import { v5 } from 'uuid'
import type { Library } from '#app/session/client/library.ts'
import { podcast, type SiteServices } from '#app/session/site.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { type Absolute, librarySilent, rssDate, toXml, type Xml } from './reading-feed.ts'

interface Show {
  absolute: Absolute
  contactEmail: string
  /** The show's identity, which stays when its feed moves (podcast namespace, `podcast:guid`). */
  guid: string
}

/** The feed that podcast apps follow: RSS 2.0 with Apple's itunes tags and the open podcast namespace. */
export const podcastFeed = (episodes: readonly Episode[], show: Show): string =>
  toXml({
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      '@xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      '@xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
      channel: { ...channel(show), item: episodes.map((episode) => toItem(episode, show.absolute)) },
    },
  })

function channel({ absolute, contactEmail, guid }: Show): Xml {
  const home = absolute(href('/resources/:category?', { category: 'podcast' }))
  const cover = absolute('/podcast-cover.png')
  const { title, subtitle, description, author, category, subcategory, language } = podcast
  return {
    title,
    link: home,
    description,
    language,
    copyright: `© ${new Date().getUTCFullYear()} ${author}`,
    'atom:link': { '@href': absolute(href('/podcast.xml')), '@rel': 'self', '@type': 'application/rss+xml' },
    image: { url: cover, title, link: home },
    'itunes:title': title,
    'itunes:subtitle': subtitle,
    'itunes:author': author,
    'itunes:owner': { 'itunes:name': author, 'itunes:email': contactEmail },
    'itunes:image': { '@href': cover },
    'itunes:category': { '@text': category, 'itunes:category': { '@text': subcategory } },
    'itunes:explicit': 'false',
    'itunes:type': 'episodic',
    'podcast:guid': guid,
    'podcast:locked': { '@owner': contactEmail, '#text': 'no' },
    'podcast:medium': 'podcast',
  }
}

function toItem(episode: Episode, absolute: Absolute): Xml {
  const { url, length, type } = episode.enclosure
  const picture = episode.image_url ? absolute(episode.image_url) : ''
  return {
    title: episode.title,
    link: absolute(href('/resource/:id', { id: episode.id })),
    description: episode.description,
    enclosure: { '@url': url, '@length': length, '@type': type },
    guid: { '@isPermaLink': 'false', '#text': episode.id },
    pubDate: rssDate(episode.date),
    'itunes:title': episode.title,
    'itunes:duration': Math.round(episode.duration),
    'itunes:explicit': 'false',
    'itunes:episodeType': 'full',
    'itunes:image': picture ? { '@href': picture } : undefined,
  }
}

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

/** The namespace that the podcast namespace's specification fixes for `podcast:guid`. */
const NAMESPACE = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6'

/** UUID version 5 of the feed's address without its scheme and trailing slashes. */
export const showGuid = (feedAddress: string): string =>
  v5(feedAddress.replace(/^https?:\/\//, '').replace(/\/+$/, ''), NAMESPACE)
