import { absoluteFor, listedResources, sitemap } from '#app/features/feeds/reading-feed.ts'
import { serverLibrary } from '#app/session/client/library.ts'
import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/sitemap'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const resources = await listedResources(serverLibrary(services))
  return new Response(sitemap(resources, absoluteFor(services.settings)), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  })
}
