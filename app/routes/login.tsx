import { Navigate } from 'react-router'
import { LoginPage } from '#app/features/account/login-page.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { useMember } from '#app/session/reader.ts'
import type { Route } from './+types/login'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Login',
    description: 'Sign in to save resources and to see those that are kept for members.',
    path: '/login',
    hidden: true,
  })

/** Whoever is signed in, by this form, a mailed link or another tab, has nothing to do here. */
export default function Login() {
  return useMember() ? <Navigate to="/" replace /> : <LoginPage />
}
