import { lazy, Suspense } from 'react'
import { data, Navigate, useSearchParams } from 'react-router'
import { LoginPage } from '#app/features/account/login-page.tsx'
import { nextPage } from '#app/features/login/next-page.ts'
import { findSignInWays, noOtherWays } from '#app/features/login/sign-in-methods.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { useMember, usePendingMfa } from '#app/session/current-user.ts'
import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/login'

// Whoever needs it has just downloaded the auth client, too.
const SecondStep = lazy(async () => ({
  default: (await import('#app/features/account/second-step/second-step.tsx')).SecondStep,
}))

/** The form works without knowing what else there is; the page only must not be remembered that way. */
export async function loader({ context }: Route.LoaderArgs) {
  const ways = await findSignInWays(context.get(servicesContext))
  return data(ways ?? noOtherWays, { headers: ways ? {} : { 'Cache-Control': 'no-store' } })
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Login',
    description: 'Sign in to save resources and to see those that are kept for members.',
    path: '/login',
    hidden: true,
  })

/** Whoever is signed in, by this form, a mailed link or another tab, has nothing to do here. */
export default function Login({ loaderData: ways }: Route.ComponentProps) {
  const isMember = useMember() !== null
  const owed = usePendingMfa()
  const [search] = useSearchParams()
  if (isMember) return <Navigate to={nextPage(search) ?? '/'} replace />
  if (!owed) return <LoginPage ways={ways} />
  return (
    <Suspense>
      <SecondStep factors={owed} />
    </Suspense>
  )
}
