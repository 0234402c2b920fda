import { absoluteFor, newestReadings, readingFeed } from '#app/features/feeds/reading-feed.ts'
import { serverLibrary } from '#app/session/client/library.ts'
import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/feed'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const readings = await newestReadings(serverLibrary(services))
  return new Response(readingFeed(readings, absoluteFor(services.settings)), {
    headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' },
  })
}
