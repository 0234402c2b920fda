import { lazy, Suspense } from 'react'
import type { DeleteButtonProps } from '#app/features/resource-admin/delete-button.tsx'
import { HeartButton } from '#app/features/saved/heart-button.tsx'
import { useMember } from '#app/session/reader.ts'

// Only admins download it.
const AdminControls = lazy(async () => ({ default: (await import('./admin-controls.tsx')).AdminControls }))

export type MemberControlsProps = DeleteButtonProps

/** The heart for members; for admins what they can do with the resource as well. */
export function MemberControls({ resource, withWords, leaveTo }: MemberControlsProps) {
  const isAdmin = useMember()?.role === 'admin'
  return (
    <>
      {isAdmin && (
        <Suspense fallback={null}>
          <AdminControls resource={resource} withWords={withWords} leaveTo={leaveTo} />
        </Suspense>
      )}
      <HeartButton resource={resource} withWords={withWords} />
    </>
  )
}
