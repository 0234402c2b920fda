import { href } from 'react-router'
import { podcast } from '#app/session/site.ts'
import type { Episode } from './episodes.ts'
import type { Absolute } from './site.ts'
import { rssDate, toXml, type Xml } from './xml.ts'

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
