import { href } from 'react-router'
import * as z from 'zod/mini'
import { DashboardPage } from '#app/features/dashboard/dashboard-page.tsx'
import { readDashboard } from '#app/features/dashboard/read-dashboard.ts'
import { retryInput, retryMessage } from '#app/features/dashboard/unsent-messages.tsx'
import { AdminGate, requireAdmin } from '#app/features/login/admin-access.tsx'
import { DeleteButton } from '#app/features/resource-admin/delete-button.tsx'
import {
  deletedPageOf,
  deleteResource,
  deletionInput,
  findDeleted,
  purgeDeleted,
  restorationInput,
  restoreResource,
} from '#app/features/resource-admin/deletion.ts'
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
  purgeDeleted(access).catch((error) => console.warn('Files could not be removed:', error))
  return { dashboard, deleted }
}

/** What admins change outside the form, wherever they are: each button sends its input here. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const input = adminInput.parse(Object.fromEntries(await request.formData()))
  switch (input.intent) {
    case 'delete':
      return deleteResource(input)
    case 'restore':
      return restoreResource(input)
    case 'retry-message':
      return retryMessage(input)
  }
}

const adminInput = z.discriminatedUnion('intent', [deletionInput, restorationInput, retryInput])

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
