import { lazy, Suspense } from 'react'
import type { AddLinkProps } from '#app/features/resource-admin/admin-controls.tsx'
import { useAdminAccess, useMember } from '#app/session/current-user.tsx'
import { OptionalPart } from '#app/ui/optional-part.tsx'
import type { MemberControlsProps } from './member-controls.tsx'

// Visitors download nothing of it.
const Controls = lazy(async () => ({
  default: (await import('./member-controls.tsx')).MemberControls,
}))
const Add = lazy(async () => ({
  default: (await import('#app/features/resource-admin/admin-controls.tsx')).AddLink,
}))

/** What the reader can do with a resource beside reading it; nothing for visitors (specification, section 6). */
export function ResourceControls(props: MemberControlsProps) {
  if (!useMember()) return null
  return (
    <OptionalPart>
      <Suspense fallback={null}>
        <Controls {...props} />
      </Suspense>
    </OptionalPart>
  )
}

/** The way to a new resource, for admins only. */
export function AdminAdd(props: AddLinkProps) {
  if (useAdminAccess() !== 'open') return null
  return (
    <OptionalPart>
      <Suspense fallback={null}>
        <Add {...props} />
      </Suspense>
    </OptionalPart>
  )
}
