import { lazy, Suspense } from 'react'
import { MfaNeeded } from '#app/features/login/admin-access.tsx'
import type { DeleteButtonProps } from '#app/features/resource-admin/delete-button.tsx'
import { HeartButton } from '#app/features/saved/heart-button.tsx'
import { useAdminAccess } from '#app/session/current-user.tsx'
import { OptionalPart } from '#app/ui/optional-part.tsx'

// Only admins download it.
const AdminControls = lazy(async () => ({
  default: (await import('#app/features/resource-admin/admin-controls.tsx')).AdminControls,
}))

export type MemberControlsProps = DeleteButtonProps

/** The heart for members; for admins what they can do with the resource as well. */
export function MemberControls({ resource, withWords, leaveTo }: MemberControlsProps) {
  const access = useAdminAccess()
  return (
    <>
      {access === 'open' && (
        <OptionalPart>
          <Suspense fallback={null}>
            <AdminControls resource={resource} withWords={withWords} leaveTo={leaveTo} />
          </Suspense>
        </OptionalPart>
      )}
      {withWords && <MfaNeeded access={access} />}
      <HeartButton resource={resource} withWords={withWords} />
    </>
  )
}
