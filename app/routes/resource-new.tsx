import { href, type ShouldRevalidateFunctionArgs } from 'react-router'
import { AdminGate, requireAdmin } from '#app/features/login/admin-access.tsx'
import { keepsForm, ResourceEditor, suggestLocations } from '#app/features/resource-form/resource-form.tsx'
import { findOffers, saveAction, startNew, startWith } from '#app/features/resource-form/stored-resource.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { findDrafts } from '#app/session/client/draft-store.ts'
import { localDate } from '#domain/dates.ts'
import type { Route } from './+types/resource-new'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'New resource',
    description: 'For admins.',
    path: href('/resources/new'),
    hidden: true,
  })

/** `?category=` chooses what the form begins with; `?draft=` a draft of this browser. */
export async function clientLoader({ url: { searchParams } }: Route.ClientLoaderArgs) {
  const { library, member } = await requireAdmin()
  const today = localDate(new Date())
  const [locations, kept] = await Promise.all([suggestLocations(library), findDrafts(member.id)])
  const continued = kept.find(({ key }) => key === searchParams.get('draft'))
  const start = continued ? startWith(continued, today) : startNew(searchParams.get('category'), today)
  return { member: member.id, locations, start, continued, drafts: await findOffers(start, member.id) }
}

export const clientAction = (args: Route.ClientActionArgs) => saveAction(args)

export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => keepsForm(change)

export const HydrateFallback = AdminGate

export default function ResourceNew({ loaderData }: Route.ComponentProps) {
  return <ResourceEditor {...loaderData} title="New resource" />
}
