import { href } from 'react-router'
import { newestEpisodes, podcastFeed, showGuid } from '#app/features/feeds/podcast-feed.ts'
import { absoluteFor } from '#app/features/feeds/reading-feed.ts'
import { serverLibrary } from '#app/session/client/library.ts'
import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/podcast-feed'

export async function loader({ context }: Route.LoaderArgs) {
  const { settings, api } = context.get(servicesContext)
  const absolute = absoluteFor(settings)
  const episodes = await newestEpisodes(serverLibrary({ settings, api }), api, absolute)
  const show = {
    absolute,
    contactEmail: settings.contactEmail,
    guid: showGuid(absolute(href('/podcast.xml'))),
  }
  return new Response(podcastFeed(episodes, show), {
    headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' },
  })
}
