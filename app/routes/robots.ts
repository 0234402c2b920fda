import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/robots'

/** Everything that people may read, search engines may read too; the API is for programs. */
export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(servicesContext).settings
  const lines = [
    'User-agent: *',
    'Disallow: /auth/v1/',
    'Disallow: /rest/v1/',
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ]
  return new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
