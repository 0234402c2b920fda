import { AdminGate } from '#app/features/account/admin-gate.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { requireAdmin } from '#app/session/require-admin.ts'
import { Page, PageHeading } from '#app/ui/page.tsx'
import type { Route } from './+types/resource-new'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'New resource',
    description: 'For admins.',
    path: '/resources/new',
    hidden: true,
  })

export async function clientLoader() {
  await requireAdmin()
  return null
}

export const HydrateFallback = AdminGate

export default function ResourceNew() {
  return (
    <Page>
      <PageHeading title="New resource" />
    </Page>
  )
}
