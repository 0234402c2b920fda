import { lazy, Suspense } from 'react'
import { data, href, Navigate, useSearchParams } from 'react-router'
import { formActions } from '#app/features/forms/action-form.tsx'
import { nextPage } from '#app/features/login/admin-access.tsx'
import { loginActions } from '#app/features/login/login-form.tsx'
import { LoginPage } from '#app/features/login/login-page.tsx'
import { findSignInMethods, noOtherMethods } from '#app/features/login/sign-in-methods.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { useMember, usePendingMfa } from '#app/session/current-user.tsx'
import { servicesContext } from '#app/session/site.ts'
import type { Route } from './+types/login'

// Whoever needs it has just downloaded the auth client, too.
const MfaPage = lazy(async () => ({
  default: (await import('#app/features/login/mfa-challenge.tsx')).MfaPage,
}))

/** The form works without knowing what else there is; the page only must not be remembered that way. */
export async function loader({ context }: Route.LoaderArgs) {
  const methods = await findSignInMethods(context.get(servicesContext))
  return data(methods ?? noOtherMethods, { headers: methods ? {} : { 'Cache-Control': 'no-store' } })
}

export const clientAction = formActions(loginActions, async () => ({
  ...(await import('#app/features/login/other-methods.tsx')).otherMethodActions,
  ...(await import('#app/features/login/other-forms.tsx')).otherFormActions,
  ...(await import('#app/features/login/mfa-challenge.tsx')).mfaActions,
}))

/** Nothing that is done here changes how one can sign in. */
export const shouldRevalidate = () => false

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Login',
    description: 'Sign in to save resources and to see those that are kept for members.',
    path: href('/login'),
    hidden: true,
  })

/** Whoever is signed in, by this form, a mailed link or another tab, has nothing to do here. */
export default function Login({ loaderData: methods }: Route.ComponentProps) {
  const isMember = useMember() !== null
  const pendingMfa = usePendingMfa()
  const [search] = useSearchParams()
  if (isMember) return <Navigate to={nextPage(search) ?? href('/')} replace />
  if (!pendingMfa) return <LoginPage methods={methods} />
  return (
    <Suspense>
      <MfaPage factors={pendingMfa} />
    </Suspense>
  )
}
