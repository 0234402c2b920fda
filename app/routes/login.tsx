import { LoginSoon } from '#app/features/login/login-soon.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import type { Route } from './+types/login'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Login',
    description: 'Member accounts are coming soon. How to ask for early access.',
    path: '/login',
    hidden: true,
  })

export default function Login() {
  return <LoginSoon />
}
