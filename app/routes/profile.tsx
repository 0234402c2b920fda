import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { href } from 'react-router'
import { formActions } from '#app/features/forms/action-form.tsx'
import { KeepSavedButton, type KeptList, keepSaved } from '#app/features/offline/keep-saved.tsx'
import { LazyPlayer } from '#app/features/player/lazy-player.tsx'
import { deleteAccountActions } from '#app/features/profile/delete-account.tsx'
import { editProfileActions } from '#app/features/profile/edit-profile.tsx'
import { ProfileForMembers, ProfilePage } from '#app/features/profile/profile-page.tsx'
import { withMedia } from '#app/features/resources/library.ts'
import { ResourceList } from '#app/features/resources/resource-list.tsx'
import { SaveButton } from '#app/features/saved/save-button.tsx'
import {
  findRecommended,
  findSaved,
  RecommendedForYou,
  SavedResources,
} from '#app/features/saved/saved-resources.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { MemberOrVisitor, useMember } from '#app/session/current-user.tsx'
import { memberAccess, withOfflineFallback } from '#app/session/session.ts'
import { Page } from '#app/ui/page.tsx'
import type { ResourceSummary } from '#domain/resource.ts'
import type { Route } from './+types/profile'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your profile',
    description: 'Your account and your saved resources.',
    path: href('/profile'),
    hidden: true,
  })

/** Only in the browser: the server knows no member. */
export const clientLoader = () => withOfflineFallback<Omit<KeptList, 'member'>>('list', readLists)

async function readLists() {
  const access = await memberAccess()
  if (!access) return { saved: [], recommended: [] }
  const { library, settings, member } = access
  const [saved, recommended] = await Promise.all([
    findSaved(library, member.savedResources),
    findRecommended(library),
  ])
  const located = (one: ResourceSummary) => withMedia(one, settings)
  return { saved: saved.map(located), recommended: recommended.map(located) }
}

export const clientAction = formActions(
  { ...editProfileActions, ...deleteAccountActions },
  async () => (await import('#app/features/login/mfa-challenge.tsx')).mfaActions,
)

/** The forms of this page change nothing of what its loader brings. */
export const shouldRevalidate = ({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formMethod ? false : defaultShouldRevalidate

export const HydrateFallback = () => (
  <Page>
    <MemberOrVisitor member={null} visitor={<ProfileForMembers />} />
  </Page>
)

export default function Profile({ loaderData: { saved, recommended } }: Route.ComponentProps) {
  const member = useMember()
  if (!member) return <HydrateFallback />
  const shown = saved.filter(({ id }) => member.savedResources.includes(id))
  return (
    <Page>
      <ProfilePage member={member}>
        <SavedResources count={member.savedResources.length}>
          <Cards resources={shown} />
          <KeepSavedButton
            memberId={member.id}
            keep={() => keepSaved({ member, saved: shown, recommended, readPage })}
          />
        </SavedResources>
        <RecommendedForYou>
          <Cards resources={recommended} />
        </RecommendedForYou>
      </ProfilePage>
    </Page>
  )
}

/** What the page of a saved resource shows to the member who is signed in. */
async function readPage(id: string) {
  const [access, { readResource }] = await Promise.all([
    memberAccess(),
    import('#app/features/resources/find-resource.ts'),
  ])
  if (!access) throw new Error('The session is over')
  return readResource(access, id)
}

const Cards = ({ resources }: { resources: readonly ResourceSummary[] }) => (
  <ResourceList
    resources={resources.map((one) => ({ ...one, featured: false }))}
    view="card"
    heading="h3"
    actions={(one) => one.category === 'podcast' && <LazyPlayer resource={one} compact />}
    corner={(one) => <SaveButton resource={one} />}
  />
)
