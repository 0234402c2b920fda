import { lazy, type ReactNode, Suspense } from 'react'
import { useMember } from '#app/session/reader.ts'
import type { AddLinkProps } from './add-link.tsx'
import type { EditLinkProps } from './edit-link.tsx'

// Visitors and members download nothing of them.
const Edit = lazy(async () => ({ default: (await import('./edit-link.tsx')).EditLink }))
const Add = lazy(async () => ({ default: (await import('./add-link.tsx')).AddLink }))

const useIsAdmin = () => useMember()?.role === 'admin'

/** What admins, and nobody else, can do with a resource (specification, section 6): Edit, and what else is given. */
export function AdminCardActions({ children, ...edit }: EditLinkProps & { children?: ReactNode }) {
  return (
    useIsAdmin() && (
      <>
        <Suspense fallback={null}>
          <Edit {...edit} />
        </Suspense>
        {children}
      </>
    )
  )
}

/** The way to a new resource, for admins only. */
export function AdminAdd(props: AddLinkProps) {
  return (
    useIsAdmin() && (
      <Suspense fallback={null}>
        <Add {...props} />
      </Suspense>
    )
  )
}
