import { href } from 'react-router'
import { DashboardPage } from '#app/features/dashboard/dashboard-page.tsx'
import { readDashboard } from '#app/features/dashboard/read-dashboard.ts'
import { AdminGate, requireAdmin } from '#app/features/login/admin-access.tsx'
import { DeleteButton } from '#app/features/resource-admin/delete-button.tsx'
import { deletedPageOf, findDeleted, sweepDeleted } from '#app/features/resource-admin/deletion.ts'
import { RecentlyDeleted } from '#app/features/resource-admin/recently-deleted.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/admin'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Admin Dashboard',
    description: 'For admins.',
    path: href('/admin'),
    hidden: true,
  })

export async function clientLoader({ url }: Route.ClientLoaderArgs) {
  const access = await requireAdmin()
  const [dashboard, deleted] = await Promise.all([
    readDashboard(access.library, url.searchParams),
    findDeleted(access.library, deletedPageOf(url.searchParams)),
  ])
  // Nobody waits for it.
  sweepDeleted(access).catch((error) => console.warn('Files could not be removed:', error))
  return { dashboard, deleted }
}

export const HydrateFallback = AdminGate

export default function Admin({ loaderData: { dashboard, deleted } }: Route.ComponentProps) {
  return (
    <Page>
      <DashboardPage
        dashboard={dashboard}
        actions={(resource) => <DeleteButton resource={resource} />}
        trash={<RecentlyDeleted deleted={deleted} />}
      />
    </Page>
  )
}
