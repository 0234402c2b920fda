import { href } from 'react-router'
import { formActions } from '#app/features/forms/action-form.tsx'
import { ResetPasswordPage, resetPasswordActions } from '#app/features/login/reset-password-page.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import type { Route } from './+types/reset-password'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Choose a new password',
    description: 'The page that a link in a mail opens.',
    path: href('/reset-password'),
    hidden: true,
  })

export const clientAction = formActions(
  resetPasswordActions,
  async () => (await import('#app/features/login/mfa-challenge.tsx')).mfaActions,
)

export default function ResetPassword() {
  return <ResetPasswordPage />
}
