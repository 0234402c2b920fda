import { lazy, Suspense } from 'react'
import { useMember } from '#app/session/reader.ts'
import type { DeleteButtonProps } from './delete-button.tsx'

// Visitors and members download nothing of it.
const Button = lazy(async () => ({ default: (await import('./delete-button.tsx')).DeleteButton }))

/** The delete button, for admins only (specification, section 6). */
export function AdminDelete(props: DeleteButtonProps) {
  if (useMember()?.role !== 'admin') return null
  return (
    <Suspense fallback={null}>
      <Button {...props} />
    </Suspense>
  )
}
