import { href, type ShouldRevalidateFunctionArgs } from 'react-router'
import { AdminGate, requireAdmin } from '#app/features/login/admin-access.tsx'
import { DeleteButton } from '#app/features/resource-admin/delete-button.tsx'
import { keepsForm, ResourceEditor, suggestLocations } from '#app/features/resource-form/resource-form.tsx'
import { findEditable, findOffers, saveAction } from '#app/features/resource-form/stored-resource.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { findDrafts } from '#app/session/client/draft-store.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Banner, Page, PageHeading } from '#app/ui/page.tsx'
import type { Draft } from '#domain/resource-form/draft.ts'
import type { Route } from './+types/resource-edit'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Edit resource',
    description: 'For admins.',
    path: href('/resources/edit/:id', params),
    hidden: true,
  })

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  const { library, member } = await requireAdmin()
  const [start, locations] = await Promise.all([findEditable(library, id), suggestLocations(library)])
  const drafts =
    'failure' in start
      ? (await findDrafts(member.id)).filter((draft) => draft.id === id)
      : await findOffers(start, member.id)
  return { member: member.id, start, locations, drafts }
}

export const clientAction = (args: Route.ClientActionArgs) => saveAction(args)

export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) => keepsForm(change)

export const HydrateFallback = AdminGate

export default function ResourceEdit({ loaderData }: Route.ComponentProps) {
  const { start, ...rest } = loaderData
  return 'failure' in start ? (
    <LoadFailed message={start.failure} drafts={rest.drafts} />
  ) : (
    <ResourceEditor
      {...rest}
      start={start}
      title="Edit resource"
      actions={
        <DeleteButton
          resource={{ id: start.id, ...start.fields }}
          leaveTo={href('/resources/:category?')}
          withWords
        />
      }
    />
  )
}

/** The server's message, in red (specification, section 8). What was typed into it here can still become a new resource. */
const LoadFailed = ({ message, drafts }: { message: string; drafts: readonly Draft[] }) => (
  <Page>
    <PageHeading title="Edit resource" />
    <Banner tone="danger" className="mt-8">
      <p>{message}</p>
      <ButtonLink to={href('/resources/:category?')} look="secondary">
        All resources
      </ButtonLink>
    </Banner>
    {drafts.map(({ key, fields }) => (
      <Banner key={key} tone="note" className="mt-4">
        <p>This browser still has what you typed for “{fields.title.trim()}”.</p>
        <ButtonLink to={`${href('/resources/new')}?draft=${key}`} look="secondary">
          Continue as a new resource
        </ButtonLink>
      </Banner>
    ))}
  </Page>
)
