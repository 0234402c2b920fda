import { lazy, Suspense } from 'react'
import type { AdminActionsProps } from '#app/features/resource-admin/admin-card-actions.tsx'
import { useMember } from '#app/session/reader.ts'

type Resource = AdminActionsProps['resource']

const kit = () => import('./admin-kit.tsx')
const CardTools = lazy(async () => ({ default: (await kit()).CardTools }))
const PageTools = lazy(async () => ({ default: (await kit()).PageTools }))
const AddTool = lazy(async () => ({ default: (await kit()).AddTool }))

const useIsAdmin = () => useMember()?.role === 'admin'

/** What an admin can do with a resource of a list; nobody else downloads or sees any of it (specification, section 6). */
export const AdminCardTools = ({ resource }: { resource: Resource }) =>
  useIsAdmin() && (
    <Suspense fallback={null}>
      <CardTools resource={resource} />
    </Suspense>
  )

/** The same on a resource's own page. */
export const AdminPageTools = ({ resource }: { resource: Resource }) =>
  useIsAdmin() && (
    <Suspense fallback={null}>
      <PageTools resource={resource} />
    </Suspense>
  )

/** The way to a new resource, for admins. @param category the listing's, if it has one */
export const AdminAddTool = ({ category }: { category: string | undefined }) =>
  useIsAdmin() && (
    <Suspense fallback={null}>
      <AddTool category={category} />
    </Suspense>
  )
