import { data, href } from 'react-router'
import { findFeatured } from '#app/features/home/featured.tsx'
import { HomePage } from '#app/features/home/home-page.tsx'
import { mediaAddress } from '#app/features/resources/library.ts'
import { organization, website } from '#app/features/seo/json-ld.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { type LibraryAccess, visitorAccess } from '#app/session/client/library.ts'
import { memberAccess, skipRevalidationOffline } from '#app/session/session.ts'
import { servicesContext, siteDescription } from '#app/session/site.ts'
import type { Route } from './+types/home'

/** Home works without the library too; it only must not be remembered that way. */
export async function loader({ context }: Route.LoaderArgs) {
  const featured = await readFeatured(visitorAccess(context.get(servicesContext)))
  return data({ featured: featured ?? [] }, { headers: featured ? {} : { 'Cache-Control': 'no-store' } })
}

/** With a member's rights where there is a session. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const access = await memberAccess()
  if (!access) return serverLoader()
  return { featured: (await readFeatured(access)) ?? [] }
}

async function readFeatured({ library, settings, reads }: LibraryAccess) {
  const found = await findFeatured(library, reads)
  return found?.map((one) => ({ ...one, image_url: mediaAddress(one.image_url, settings) }))
}

export const shouldRevalidate = skipRevalidationOffline

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Growing together through the journey of Modern Parenting',
    description: siteDescription,
    keywords:
      'parenting, parents of teens, tweens, parenting teenagers, screen time, teen anxiety, teen sleep, bullying, puberty, parenting podcast',
    path: href('/'),
    jsonLd: [
      organization({ description: siteDescription, email: matches[0].loaderData.contactEmail }),
      website(),
    ],
  })

export default function Home({ loaderData }: Route.ComponentProps) {
  return <HomePage featured={loaderData.featured} />
}
