import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { AdminGate } from '#app/features/account/admin-gate.tsx'
import { startNew } from '#app/features/resource-form/find-editable.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { requireAdmin } from '#app/session/require-admin.ts'
import { localDate } from '#domain/local-date.ts'
import type { Route } from './+types/resource-new'
import { keepsForm, ResourceEditor, suggestLocations } from './resource-editor.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'New resource',
    description: 'For admins.',
    path: '/resources/new',
    hidden: true,
  })

/** `?category=` chooses what the form begins with. */
export async function clientLoader({ url }: Route.ClientLoaderArgs) {
  const { library, member } = await requireAdmin()
  return {
    member: member.id,
    locations: await suggestLocations(library),
    start: startNew(url.searchParams.get('category'), localDate(new Date())),
  }
}

export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => keepsForm(change)

export const HydrateFallback = AdminGate

export default function ResourceNew({ loaderData }: Route.ComponentProps) {
  return <ResourceEditor {...loaderData} what="new" title="New resource" />
}
